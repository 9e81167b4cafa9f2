import type { ManagedObject } from 'dsh-container'
import { expect, it } from 'vitest'
import { renderCollected } from '../../src/gc/render-collected.ts'

const object = (name: string): ManagedObject => ({ kind: 'container', id: name, name, owner: { state: 'dead' } })

it('is a line for each object, with the reason for what stays', () => {
  const collected = {
    removed: [object('a')],
    kept: [{ ...object('b'), reason: 'its owner lives' }],
    failed: [{ ...object('c'), reason: 'it hangs' }],
  }
  expect(renderCollected(collected)).toBe(
    'removed container a\nkept container b: its owner lives\ncould not remove container c: it hangs\n',
  )
})

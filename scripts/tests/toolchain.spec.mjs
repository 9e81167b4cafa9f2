import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repoDir } from '../lib/places.mjs'
import { isNodeNewEnough } from '../lib/toolchain.mjs'

it.each([
  ['v20.20.2', false],
  ['v22.18.9', false],
  ['v22.19.0', true],
  ['v23.11.0', false],
  ['v24.0.0', true],
  ['v26.1.0', true],
])('%s can run the packages: %s', (version, expected) => {
  expect(isNodeNewEnough(version)).toBe(expected)
})

it('asks for what the manifests ask for', () => {
  const manifest = JSON.parse(readFileSync(join(repoDir, 'packages/cli/package.json'), 'utf8'))
  expect(manifest.engines.node).toBe('^22.19 || >=24')
})

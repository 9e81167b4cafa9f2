import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Owner, ownerLabels, ownerState, thisOwner } from '../../src/container/owner.ts'

function stateOf(changes: Partial<Owner>): string {
  return ownerState(ownerLabels({ ...thisOwner(), ...changes }))
}

/** `/proc/<pid>/stat`, fields 3 and 22. */
function stat(pid: number): { state: string | undefined; start: string | undefined } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return { state: fields[0], start: fields[19] }
}

describe('the owner of an object', () => {
  it('is this process, by its pid and its start', () => {
    expect(thisOwner()).toMatchObject({ pid: process.pid, start: stat(process.pid).start })
    expect(stateOf({})).toBe('alive')
  })

  it('is another process of this place while that lives, also of another user', () => {
    expect(stateOf({ pid: 1, start: stat(1).start ?? '' })).toBe('alive')
  })

  it('is dead when another process has its pid', () => {
    expect(stateOf({ start: '1' })).toBe('dead')
  })

  it('is dead once it has ended', async () => {
    const child = spawn('sleep', ['600'])
    const owner = { pid: child.pid ?? 0, start: stat(child.pid ?? 0).start ?? '' }
    expect(stateOf(owner)).toBe('alive')
    child.kill()
    await once(child, 'exit')
    expect(stateOf(owner)).toBe('dead')
  })

  it('is dead although its parent has not asked yet how it ended', async () => {
    // Bash that has become `sleep` never waits for its child; until then it would.
    const parent = spawn('bash', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer]
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
      const pid = Number(line.toString())
      const { start } = stat(pid)
      process.kill(pid)
      await expect.poll(() => stat(pid).state).toBe('Z')
      expect(stateOf({ pid, start: start ?? '' })).toBe('dead')
    } finally {
      parent.kill()
    }
  })

  it('is known by its pid alone where its start was not', () => {
    expect(stateOf({ start: '' })).toBe('alive')
    expect(stateOf({ start: '', pid: 2 ** 30 })).toBe('dead')
  })

  it('is unknown when it belongs to another boot or pid namespace', () => {
    expect(stateOf({ host: 'other-boot/pid:[1]' })).toBe('unknown')
  })

  it.each([{}, { 'bash-docker.owner-pid': 'x' }, { 'bash-docker.owner-pid': '-1' }])(
    'is unknown when the labels are %o',
    (labels) => {
      expect(ownerState(labels)).toBe('unknown')
      expect(ownerState({ ...ownerLabels(thisOwner()), 'bash-docker.owner-pid': '0' })).toBe('unknown')
    },
  )
})

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { buildSupervisor, processesBelow, run, SupervisorProcess, until } from './supervisor-process.ts'

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
}

describe('after 10,000 commands', () => {
  it('holds no more than after a hundred', { timeout: 300_000 }, async () => {
    const build = buildSupervisor('amd64')
    {
      await using supervisor = new SupervisorProcess(build.path)
      const runMany = async (count: number) => {
        let left = count
        const lane = async () => {
          while (left-- > 0) await run(supervisor, 'echo out; echo err >&2')
        }
        await Promise.all(Array.from({ length: 8 }, lane))
        await until(() => processesBelow(supervisor.pid).length === 0)
      }
      const descriptors = () => readdirSync(`/proc/${supervisor.pid}/fd`).length
      await runMany(100)
      const before = descriptors()
      await runMany(9900)
      expect(descriptors()).toBe(before)
      expect(residentBytes(supervisor.pid)).toBeLessThan(4 * 1024 * 1024)
    }
    build.remove()
  })
})

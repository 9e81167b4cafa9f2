import { describe, expect, it } from 'vitest'
import { homeDirectory } from 'dsh-container'
import { resolveConfig } from '../src/config.ts'

describe('the configuration of bash-docker', () => {
  it('binds the harness directory, read-only, and runs there', () => {
    const config = resolveConfig({})
    expect(config.cwd).toBe(process.cwd())
    expect(config.workspace).toEqual({ mode: 'bind', path: process.cwd(), access: 'read-only' })
  })

  it('runs in the workspace unless told otherwise, and binds the configured directory', () => {
    expect(resolveConfig({ workspace: { mode: 'bind', path: '/srv/a' } }).cwd).toBe('/srv/a')
    expect(resolveConfig({ cwd: '/srv/b' }).workspace).toMatchObject({ path: '/srv/b' })
  })

  it('runs in the home directory when there is no workspace', () => {
    expect(resolveConfig({ workspace: { mode: 'none' } }).cwd).toBe(homeDirectory)
  })

  it('is the same when it is resolved again', () => {
    const once = resolveConfig({ cwd: '/srv/c', limits: { pidsLimit: 64 } })
    expect(resolveConfig(once)).toEqual(once)
  })

  it.each([
    [{ workspace: { mode: 'bind', path: 'relative' } }, 'workspace.path'],
    [{ workspace: { mode: 'bind-first-workdir', within: [] } }, 'workspace.within'],
    [{ limits: { memoryBytes: 1 } }, 'limits.memoryBytes'],
    [{ limits: { memory: 1 } }, 'limits.memory'],
    [{ transport: 'carrier-pigeon' }, 'transport'],
    [{ user: { uid: -1, gid: 0 } }, 'user.uid'],
    [{ privileged: true }, 'privileged'],
    [{ engine: { socket: '/x' } }, 'engine.socket'],
  ])('refuses %j and names %s', (input, field) => {
    expect(() => resolveConfig(input)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', context: { fields: [field] } }),
    )
  })
})

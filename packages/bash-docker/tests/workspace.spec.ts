import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { resolveWorkspace } from '../src/workspace.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-spec-')))
const allowed = join(root, 'allowed')
const outside = join(root, 'outside')
mkdirSync(join(allowed, 'project'), { recursive: true })
mkdirSync(outside)
symlinkSync(outside, join(allowed, 'way-out'))
writeFileSync(join(allowed, 'file'), '')
afterAll(() => rmSync(root, { recursive: true }))

describe('the workspace of a session', () => {
  it('is none where the deployment says so', () => {
    expect(resolveWorkspace({ mode: 'none' }, allowed)).toBeUndefined()
  })

  it('is the configured folder, whatever the first command wants, with its owner', () => {
    const { uid, gid } = statSync(allowed)
    expect(resolveWorkspace({ mode: 'bind', path: allowed, access: 'read-write' }, '/')).toEqual({
      path: allowed,
      readOnly: false,
      uid,
      gid,
    })
  })

  it.each([join(root, 'absent'), join(allowed, 'file')])('is refused when it is no directory: %s', (path) => {
    expect(() => resolveWorkspace({ mode: 'bind', path, access: 'read-only' }, '/')).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_NOT_FOUND' }),
    )
  })

  describe('taken from the first command', () => {
    const config = { mode: 'bind-first-workdir' as const, within: [allowed], access: 'read-only' as const }

    it.each([allowed, join(allowed, 'project')])('may be an allowed folder or lie in one: %s', (path) => {
      expect(resolveWorkspace(config, path)).toMatchObject({ path, readOnly: true })
    })

    it.each([root, outside, '/', join(allowed, 'way-out')])('is refused elsewhere, links resolved: %s', (path) => {
      expect(() => resolveWorkspace(config, path)).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }))
    })

    it('is refused when there is no such directory', () => {
      expect(() => resolveWorkspace(config, join(allowed, 'absent'))).toThrow(
        expect.objectContaining({ code: 'WORKDIR_NOT_FOUND', message: expect.stringContaining('ENOENT') }),
      )
    })

    it('needs no folder that does not exist', () => {
      const absent = { ...config, within: [join(root, 'absent'), allowed] }
      expect(resolveWorkspace(absent, allowed)).toMatchObject({ path: allowed })
    })
  })
})

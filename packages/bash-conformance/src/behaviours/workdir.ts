import type { Suite } from '../suite.ts'
import { quoted, refusalOf, run, stdoutOf } from '../support/commands.ts'
import { expectNothingRan } from '../support/nothing-ran.ts'

/** A command runs in its directory, or not at all. */
export function workdir(suite: Suite): void {
  const { test, expect, shared, fresh, mark } = suite

  test('is where the command runs', async () => {
    const { bash, world } = await shared()
    expect(await stdoutOf(bash, { command: 'pwd', workdir: world.workdir })).toBe(`${world.workdir}\n`)
    expect(await stdoutOf(bash, { command: 'pwd', workdir: '/' })).toBe('/\n')
  })

  test('may have spaces, quotes, newlines and any other character in its name', async () => {
    const { bash, world } = await shared()
    const path = `${world.workdir}/a 'b' "c" $(d) -e\nß-${mark()}`
    await run(bash, `mkdir -- ${quoted(path)}`)
    expect(await stdoutOf(bash, { command: 'pwd', workdir: path })).toBe(`${path}\n`)
  })

  test('defaults to the configured directory', async () => {
    const { world } = await shared()
    await fresh({ cwd: world.workdir }, async ({ bash }) => {
      expect(await stdoutOf(bash, 'pwd')).toBe(`${world.workdir}\n`)
    })
  })

  test('that does not exist is refused with ENOENT, and nothing runs', async () => {
    const { bash, world } = await shared()
    const missing = `${world.workdir}/missing-${mark()}`
    await expectNothingRan(suite, async (command) => {
      const refusal = await refusalOf(bash, { command, workdir: missing })
      expect(refusal?.code).toBe('WORKDIR_NOT_FOUND')
      expect(refusal?.message).toMatch(/ENOENT/)
      expect(refusal?.message).toContain(missing)
    })
    expect((await refusalOf(bash, { command: 'true', workdir: missing }))?.code).toBe('WORKDIR_NOT_FOUND')
  })

  test('that is a file is refused, and nothing runs', async () => {
    const { bash, world } = await shared()
    const file = `${world.workdir}/file-${mark()}`
    await run(bash, `echo > ${quoted(file)}`)
    await expectNothingRan(suite, async (command) => {
      const refusal = await refusalOf(bash, { command, workdir: file })
      expect(refusal?.code).toMatch(/^WORKDIR_/)
      expect(refusal?.message).toContain(file)
    })
  })

  test('that is relative or empty is refused, and nothing runs', async () => {
    const { bash } = await shared()
    for (const relative of ['.', 'relative/path', '~', '']) {
      await expectNothingRan(suite, async (command) => {
        const refusal = await refusalOf(bash, { command, workdir: relative })
        expect({ workdir: relative, code: refusal?.code }).toEqual({ workdir: relative, code: 'WORKDIR_INVALID' })
      })
    }
  })
}

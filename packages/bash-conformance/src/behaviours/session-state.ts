import type { BashExecutor, OwnerToken } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { start, stdoutOf } from '../support/commands.ts'

/** The files that an owner's commands leave are there for that owner's next command. */
export function sessionState({ test, expect, expectCapability, shared, mark }: Suite): void {
  const runAs = (bash: BashExecutor, owner: string | undefined, command: string): Promise<string> =>
    stdoutOf(bash, { command, owner: owner as OwnerToken | undefined })

  const namedFile = (): { write: string; read: string; remove: string } => {
    const file = `"\${TMPDIR:-/tmp}/state-${mark()}"`
    return { write: `echo kept > ${file}`, read: `cat ${file} 2> /dev/null`, remove: `rm ${file}` }
  }

  test('is kept from one command of an owner to the next', async () => {
    const { bash } = await shared()
    for (const owner of [undefined, '', 'first', 'odd / owner\n€']) {
      const { write, read, remove } = namedFile()
      await runAs(bash, owner, write)
      expect(await runAs(bash, owner, read)).toBe('kept\n')
      await runAs(bash, owner, remove)
    }
  })

  test('is shared by the foreground and the background commands of an owner', async () => {
    const { bash } = await shared()
    const { write, read, remove } = namedFile()
    await start(bash, { command: write, owner: 'first' as OwnerToken }).done
    expect(await runAs(bash, 'first', read)).toBe('kept\n')
    await runAs(bash, 'first', remove)
  })

  test('is not seen by another owner, or the manifest disclaims it', async () => {
    const { bash } = await shared()
    const { write, read, remove } = namedFile()
    await runAs(bash, 'first', write)
    const seenBy = { other: await runAs(bash, 'second', read), nobody: await runAs(bash, undefined, read) }
    await runAs(bash, 'first', remove)
    expectCapability('sessionPerOwner', seenBy.other === '' && seenBy.nobody === '')
  })

  test('of the empty string is not that of nobody, or the manifest disclaims it', async () => {
    const { bash } = await shared()
    const { write, read, remove } = namedFile()
    await runAs(bash, '', write)
    const seenByNobody = await runAs(bash, undefined, read)
    await runAs(bash, '', remove)
    expectCapability('sessionPerOwner', seenByNobody === '')
  })
}

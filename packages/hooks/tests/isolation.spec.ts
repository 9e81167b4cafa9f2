import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OwnerToken } from 'dsh-bash'
import { createDockerBash, type DockerBashConfig, type DockerBashExecutor } from 'dsh-bash-docker'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHooks, type HookOutcome, hookReadOnlyPaths } from '../src/index.ts'
import { bashCall } from './support/events.ts'
import { HookFiles, hookTable } from './support/hook-files.ts'

/** In the hook's variables and in its event: a model may see neither. */
const secrets = { variable: 'variable-secret', event: 'event-secret' }

/** Tells that it is there, holds its event unread, and waits until it may go. */
const waitingHook =
  '#!/bin/bash\nid -u > /tmp/hook-uid; echo $$ > /tmp/hook-pid\nuntil [ -e /tmp/may-go ]; do sleep 0.05; done\ncat > /dev/null\n'

/**
 * What a background command of the model tries, against every process of the session. Reading the
 * hook's input would also take it away from the hook.
 */
const attack = `
until [ -s /tmp/hook-pid ]; do sleep 0.05; done
pid=$(cat /tmp/hook-pid)
{
  id -u
  for process in /proc/[0-9]*; do
    timeout 1 cat $process/environ $process/fd/0 $process/fd/1 $process/mem < /dev/null
    ls -l $process/fd $process/cwd/
  done
  timeout 1 dd if=/proc/$pid/fd/0 count=1
  python3 - $pid <<'PYTHON'
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE = 0x4206 # unlike PTRACE_ATTACH it does not stop the hook
print('ptrace', libc.ptrace(PTRACE_SEIZE, int(sys.argv[1]), 0, 0), os.strerror(ctypes.get_errno()))
PYTHON
  kill -0 $pid && echo 'can signal'
} > /tmp/seen 2>&1
echo attacked
`

describe('a hook beside a background command of the model', () => {
  let files: HookFiles
  let bash: DockerBashExecutor | undefined

  beforeAll(async () => {
    files = await HookFiles.create()
    await files.write('project/.claude/settings.json', hookTable('PreToolUse', [{ command: '.claude/hooks/wait.sh' }]))
    await files.write('project/.claude/hooks/wait.sh', waitingHook)
    await files.write('plugin/hooks/hooks.json', hookTable('Stop', [{ command: 'true' }]))
  })

  afterEach(() => bash?.[Symbol.asyncDispose]())
  afterAll(() => files[Symbol.asyncDispose]())

  async function start(more: DockerBashConfig): Promise<DockerBashExecutor> {
    bash = await createDockerBash({
      workspace: { mode: 'bind', path: files.project, access: 'read-write' },
      readOnlyPaths: hookReadOnlyPaths(files.config()),
      graceMs: 500,
      ...more,
    })
    return bash
  }

  const ofModel = (command: string): { command: string; owner: OwnerToken } => ({
    command,
    owner: OwnerToken('session-a'),
  })

  async function attacked(executor: DockerBashExecutor): Promise<{ seen: string; outcome: HookOutcome }> {
    const hooks = await createHooks({ bash: executor, ...files.config({ env: { HOOK_TOKEN: secrets.variable } }) })
    const running = hooks.run({ ...bashCall(`echo ${secrets.event}`), cwd: files.project })
    const task = executor.start(executor.resolve(ofModel(attack)))
    await task.done
    expect(executor.readOutput(task.id).delta).toBe('attacked\n')
    // Python's ctypes reads /proc/self too; the attacker's own text never holds the secrets.
    const { stdout } = await executor.run(
      executor.resolve(ofModel('touch /tmp/may-go; cat /tmp/hook-uid; tr "\\0" "\\n" < /tmp/seen')),
    )
    return { seen: stdout.text, outcome: await running }
  }

  it('keeps its variables, its event and its memory to itself, under the second user', async () => {
    const { seen, outcome } = await attacked(await start({ trustedUser: { uid: 3456, gid: 3456 } }))
    expect(outcome).toMatchObject({ blocked: false, runs: [{ status: 'completed' }] })
    expect(seen).toMatch(/^3456\n1000\n/) // the hook's user, then the model's
    expect(seen).toContain('Permission denied')
    expect(seen).toContain('ptrace -1 Operation not permitted')
    expect(seen).not.toContain('can signal')
    for (const secret of Object.values(secrets)) expect(seen).not.toContain(secret)
  })

  it('would be seen here without the second user', async () => {
    const { seen } = await attacked(await start({}))
    for (const secret of Object.values(secrets)) expect(seen).toContain(secret)
    expect(seen).toContain('ptrace 0 Success')
    expect(seen).toContain('can signal')
  })

  it('stays as it is: no command of the model can change, remove or replace hook files', async () => {
    const executor = await start({ trustedUser: { uid: 3456, gid: 3456 } })
    const before = await readFile(join(files.project, '.claude/hooks/wait.sh'), 'utf8')
    const tries = [
      'echo evil >> .claude/hooks/wait.sh',
      'echo evil > .claude/hooks/more.sh',
      'rm -rf .claude/hooks',
      'mv .claude/hooks .claude/old',
      'mv .claude old',
      'rm -rf .claude',
      'ln -sf /tmp .claude/hooks/wait.sh',
      'chmod 777 .claude/hooks/wait.sh',
      `echo evil > ${files.plugin}/hooks/hooks.json`,
      `umount ${files.project}/.claude`,
    ]
    for (const command of tries) {
      const spec = executor.resolve({ ...ofModel(command), workdir: files.project })
      expect([command, (await executor.run(spec)).exitCode]).not.toEqual([command, 0])
    }
    expect(await readFile(join(files.project, '.claude/hooks/wait.sh'), 'utf8')).toBe(before)
    // The workspace itself is writable: what failed above failed by the mount.
    const written = await executor.run(executor.resolve({ ...ofModel('touch written'), workdir: files.project }))
    expect(written.exitCode).toBe(0)
  })
})

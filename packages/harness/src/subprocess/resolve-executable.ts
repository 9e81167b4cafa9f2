import { posix } from 'node:path'
import type { SupervisedCommand } from 'dsh-container'
import { SandboxError } from 'dsh-bash-error'
import type { WorldSession } from '../world/index.ts'

/** Prints the first of its arguments that is a file that this user may run. Absolute, so it needs no base. */
const script = 'for path do if [ -f "$path" ] && [ -x "$path" ]; then printf %s "$path"; exit; fi; done'

/**
 * The path of a program in the container, as the user of its processes finds it.
 *
 * @param path the `PATH` of the process that will run it
 * @throws `PROGRAM_NOT_FOUND`, and `COMMAND_INVALID` for a relative path with a slash in it, which has no base
 */
export async function resolveExecutable(
  session: WorldSession,
  command: string,
  path: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (command === '' || command.includes('\0') || (command.includes('/') && !posix.isAbsolute(command))) {
    throw new SandboxError('COMMAND_INVALID', `neither an absolute path nor a bare name: ${JSON.stringify(command)}`, {
      context: { command },
      hint: 'Give an absolute path in the container, or a name that is on its PATH.',
    })
  }
  const candidates = posix.isAbsolute(command) ? [command] : onPath(command, path)
  const found = candidates.length === 0 ? '' : await firstExecutable(session, candidates, signal)
  if (found !== '') return found
  throw new SandboxError('PROGRAM_NOT_FOUND', `there is no program ${JSON.stringify(command)} in the container`, {
    context: { command, path },
  })
}

/** A relative entry of PATH would mean another program in each directory. */
function onPath(name: string, path = ''): string[] {
  const directories = path.split(':').filter((directory) => posix.isAbsolute(directory))
  return directories.map((directory) => posix.join(directory, name))
}

async function firstExecutable(
  { supervisor, container, user, baseEnvironment }: WorldSession,
  candidates: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  signal?.throwIfAborted()
  const chunks: Uint8Array[] = []
  const command = supervisor.spawn(
    {
      argv: ['/bin/sh', '-c', script, 'sh', ...candidates],
      workdir: '/',
      env: baseEnvironment,
      ...user,
      umask: 0o022,
      hasStdin: false,
      maxOutputBytes: 65_536,
      maxSpillBytes: 0,
      isLossless: true,
      resourceLimits: [],
    },
    {
      stdout: { write: (chunk) => void chunks.push(chunk), skip: nothing, spilled: nothing },
      stderr: { write: nothing, skip: nothing, spilled: nothing },
    },
  )
  container.hold()
  const onAbort = (): void => void command.signalTree(9)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    await drainedOrFailed(command)
    signal?.throwIfAborted()
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    signal?.removeEventListener('abort', onAbort)
    container.letGo()
  }
}

async function drainedOrFailed(command: SupervisedCommand): Promise<void> {
  await command.started
  await command.exited
  await command.drained
}

function nothing(): void {}

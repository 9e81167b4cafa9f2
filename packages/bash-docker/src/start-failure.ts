import { SandboxError } from 'dsh-bash-error'
import type { Session } from './session.ts'

/**
 * Why an exec could not be started. The engine says it in words only, which differ between engines
 * and versions, so the world is asked: does bash run in `/`, and is the workdir a directory?
 */
export async function explainStartFailure(
  session: Session,
  workdir: string,
  failure: SandboxError,
): Promise<SandboxError> {
  const exitCode = await tryBash(session, workdir)
  if (exitCode === undefined) {
    return new SandboxError('SHELL_NOT_FOUND', `the image ${session.facts.image} has no bash that runs`, {
      context: { image: session.facts.image },
      cause: failure,
    })
  }
  if (exitCode === 0) return failure
  return new SandboxError('WORKDIR_NOT_FOUND', `ENOENT: no such directory in the container: ${workdir}`, {
    context: { workdir, image: session.facts.image },
    cause: failure,
  })
}

/** 0 when `workdir` can be entered, else 1; undefined when bash does not even run. */
async function tryBash(session: Session, workdir: string): Promise<number | undefined> {
  try {
    const exec = session.container.exec({
      argv: ['bash', '-c', '[[ -d $1 && -x $1 ]]', 'bash', workdir],
      workdir: '/',
      env: {},
      user: session.user,
      stdout: () => undefined,
      stderr: () => undefined,
    })
    return (await exec.exited).exitCode
  } catch {
    return undefined
  }
}

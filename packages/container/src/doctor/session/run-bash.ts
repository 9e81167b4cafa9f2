import type { Readable } from 'node:stream'
import type { ContainerExec } from '../../container/container-exec.ts'
import type { SandboxContainer } from '../../container/sandbox-container.ts'

/** How long one try may take; then it has failed. */
const probeDeadlineMs = 15_000

/** Those of commands: no root. */
export const probeUser = { uid: 1000, gid: 1000 } as const

/** A bash script that runs in a container; bash is all that an image must have. */
interface BashProcess {
  readonly exec: ContainerExec
  /** What it has printed so far, both streams. */
  readonly output: () => string
  /** Resolves with its first output; never, when it prints nothing. */
  readonly firstOutput: Promise<void>
}

export function startBash(
  container: SandboxContainer,
  script: string,
  { args = [], stdin }: { args?: readonly string[]; stdin?: string | Readable } = {},
): BashProcess {
  const chunks: Buffer[] = []
  const { promise: firstOutput, resolve: markOutput } = Promise.withResolvers<void>()
  const keep = (chunk: Uint8Array): void => {
    chunks.push(Buffer.from(chunk))
    markOutput()
  }
  const exec = container.exec({
    argv: ['bash', '-c', script, 'bash', ...args],
    workdir: '/',
    env: { LC_ALL: 'C' },
    user: probeUser,
    ...(stdin === undefined ? {} : { stdin }),
    stdout: keep,
    stderr: keep,
  })
  return { exec, output: () => Buffer.concat(chunks).toString('utf8'), firstOutput }
}

/**
 * Runs a script to its end.
 *
 * @throws what {@link ContainerExec.exited} rejects with, and an error when it did not end in time
 */
export async function runBash(
  container: SandboxContainer,
  script: string,
  options: { args?: readonly string[]; stdin?: string } = {},
): Promise<{ exitCode: number; output: string }> {
  const { exec, output } = startBash(container, script, options)
  const { exitCode } = await inTime(exec.exited)
  return { exitCode, output: output() }
}

/** The content of the first of these files that can be read; undefined when none can. */
export async function readFirst(container: SandboxContainer, paths: readonly string[]): Promise<string | undefined> {
  const script = 'for path; do [[ -r $path ]] && printf %s "$(<"$path")" && exit; done; exit 1'
  const { exitCode, output } = await runBash(container, script, { args: paths })
  return exitCode === 0 ? output : undefined
}

/** @throws when it takes longer than a probe may */
export async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const giveUp = (): void => late.reject(new Error(`it did not end within ${probeDeadlineMs} ms`))
  const timer = setTimeout(giveUp, probeDeadlineMs)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

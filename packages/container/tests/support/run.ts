import type { ExecSpec, SandboxContainer } from '../../src/index.ts'

/** Runs bash code in a container to its end. */
export async function run(
  container: SandboxContainer,
  command: string,
  user: ExecSpec['user'] = { uid: 1000, gid: 1000 },
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const chunks: { stdout: Uint8Array[]; stderr: Uint8Array[] } = { stdout: [], stderr: [] }
  const { exited } = container.exec({
    argv: ['bash', '-c', command],
    workdir: '/',
    env: {},
    user,
    stdout: (chunk) => void chunks.stdout.push(Uint8Array.from(chunk)),
    stderr: (chunk) => void chunks.stderr.push(Uint8Array.from(chunk)),
  })
  const { exitCode } = await exited
  const text = (stream: 'stdout' | 'stderr'): string => Buffer.concat(chunks[stream]).toString()
  return { exitCode, stdout: text('stdout'), stderr: text('stderr') }
}

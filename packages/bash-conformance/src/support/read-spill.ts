import type { BashExecutor } from 'dsh-bash'

/** The bytes of a spill; undefined where an executor cannot give them to the host. */
export async function readWholeSpill(bash: BashExecutor, path: string): Promise<Buffer | undefined> {
  if (bash.readSpill === undefined) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of bash.readSpill(path)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The code with which `readSpill` refuses a path; undefined when it does not, or does not exist. */
export async function refusalOfReadSpill(bash: BashExecutor, path: string): Promise<unknown> {
  try {
    await readWholeSpill(bash, path)
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

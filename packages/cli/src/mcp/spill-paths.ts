import { z } from 'zod'

const stream = z.object({ spillPath: z.string().optional() })
const withStreams = z.object({ stdout: stream, stderr: stream })
const withPaths = z.object({ spillPaths: z.array(z.string()) })

/** The spill files that a tool's result names. */
export function spillPathsOf(value: unknown): string[] {
  const paths = withPaths.safeParse(value)
  if (paths.success) return paths.data.spillPaths
  const streams = withStreams.safeParse(value)
  if (!streams.success) return []
  return [streams.data.stdout.spillPath, streams.data.stderr.spillPath].filter((path) => path !== undefined)
}

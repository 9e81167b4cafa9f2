import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { signalStatus } from '../exit-status.ts'
import { catchInterrupts } from '../interrupts.ts'
import { Connection } from './connection.ts'
import type { ServedSandbox } from './mcp-settings.ts'

/**
 * Serves the one client at standard input and output until it has gone: the end of input, or a reader of the
 * output that is no more.
 *
 * @returns the exit status
 */
export async function serveStdio(sandbox: ServedSandbox): Promise<number> {
  const connection = await Connection.open(sandbox)
  const gone = Promise.withResolvers<number>()
  const leave = (): void => gone.resolve(0)
  const releaseInterrupts = catchInterrupts(
    ({ signal }) => gone.resolve(signalStatus(signal)),
    () => process.exit(1), // The container ends by itself.
  )
  // The transport of the SDK does not look at the end of its input.
  process.stdin.once('end', leave)
  process.stdin.once('error', leave)
  process.stdout.once('error', leave)
  void connection.closed.then(leave)
  await connection.server.connect(new StdioServerTransport())
  const status = await gone.promise
  await connection.end()
  releaseInterrupts()
  return status
}

import { connectEngine } from 'dsh-container'

/** The unix socket of the engine that tests use: the one that a user without options would get. */
export async function engineSocketPath(): Promise<string> {
  const engine = await connectEngine()
  if (engine.endpoint.socketPath === undefined) throw new Error('the tests want an engine on a unix socket')
  return engine.endpoint.socketPath
}

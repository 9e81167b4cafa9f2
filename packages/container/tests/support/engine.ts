import Docker from 'dockerode'
import { connectEngine, DEFAULT_IMAGE, type Engine, ensureImage } from '../../src/index.ts'

/** The engine that tests use, a client that looks at it past our code, and an image that is on it. */
export interface TestEngine {
  readonly engine: Engine
  readonly docker: Docker
  readonly image: string
}

export async function testEngine(): Promise<TestEngine> {
  const engine = await connectEngine()
  const { socketPath } = engine.endpoint
  if (socketPath === undefined) throw new Error('the tests want an engine on a unix socket')
  const { reference: image } = await ensureImage(engine, { reference: DEFAULT_IMAGE, pull: 'never' })
  return { engine, docker: new Docker({ socketPath }), image }
}

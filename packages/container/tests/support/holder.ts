import { startContainer } from '../../src/index.ts'
import { containerSpec } from './container.ts'
import { testEngine } from './engine.ts'

/** A process that holds a container and says which, until it is killed or told to do nothing more. */
const { engine, image } = await testEngine()
const spec = containerSpec(image)
await startContainer(engine, spec)
process.on('message', () => process.disconnect())
process.send?.(spec.sessionId)

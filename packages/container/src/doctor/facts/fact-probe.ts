import type { Engine } from '../../engine/engine.ts'
import type { Finding } from '../probe-result.ts'

/** What an engine says of itself. */
export type EngineFacts = Pick<Engine, 'apiVersion' | 'version' | 'info'>

/** Judges an engine by its own account; pure. */
export interface FactProbe {
  readonly name: string
  readonly judge: (facts: EngineFacts) => Finding
}

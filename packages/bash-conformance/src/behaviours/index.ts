import type { Behaviour } from '../suite.ts'
import { abort } from './abort.ts'
import { bytes } from './bytes.ts'
import { environment } from './environment.ts'
import { environmentLimits } from './environment-limits.ts'
import { exitCodes } from './exit-codes.ts'
import { resolve } from './resolve.ts'
import { resultShape } from './result-shape.ts'
import { shell } from './shell.ts'
import { signals } from './signals.ts'
import { stdin } from './stdin.ts'
import { timeout } from './timeout.ts'
import { workdir } from './workdir.ts'

/** The contract, one behaviour each. */
export const behaviours = {
  resolve,
  'result-shape': resultShape,
  'exit-codes': exitCodes,
  signals,
  bytes,
  stdin,
  environment,
  'environment-limits': environmentLimits,
  workdir,
  shell,
  timeout,
  abort,
} as const satisfies Record<string, Behaviour>

/** Names one behaviour, for `only`. */
export type BehaviourName = keyof typeof behaviours

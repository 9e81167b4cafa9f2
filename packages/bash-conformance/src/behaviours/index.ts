import type { Behaviour } from '../suite.ts'
import { abort } from './abort.ts'
import { badInput } from './bad-input.ts'
import { bytes } from './bytes.ts'
import { cause } from './cause.ts'
import { confidentiality } from './confidentiality.ts'
import { disposal } from './disposal.ts'
import { engineLoss } from './engine-loss.ts'
import { environmentLimits } from './environment-limits.ts'
import { environment } from './environment.ts'
import { escalation } from './escalation.ts'
import { escapees } from './escapees.ts'
import { exitCodes } from './exit-codes.ts'
import { firstCause } from './first-cause.ts'
import { flood } from './flood.ts'
import { heldOutput } from './held-output.ts'
import { isolation } from './isolation.ts'
import { lateOutput } from './late-output.ts'
import { listeners } from './listeners.ts'
import { manyAtOnce } from './many-at-once.ts'
import { outputCap } from './output-cap.ts'
import { receipt } from './receipt.ts'
import { resolve } from './resolve.ts'
import { resultShape } from './result-shape.ts'
import { sessionLoss } from './session-loss.ts'
import { sessionState } from './session-state.ts'
import { shell } from './shell.ts'
import { signals } from './signals.ts'
import { spillPrivacy } from './spill-privacy.ts'
import { spill } from './spill.ts'
import { stdin } from './stdin.ts'
import { stdio } from './stdio.ts'
import { survivors } from './survivors.ts'
import { tampering } from './tampering.ts'
import { taskOutput } from './task-output.ts'
import { tasks } from './tasks.ts'
import { timeout } from './timeout.ts'
import { trees } from './trees.ts'
import { usage } from './usage.ts'
import { workdir } from './workdir.ts'

/** The contract, one behaviour each. */
export const behaviours = {
  resolve,
  'bad-input': badInput,
  'result-shape': resultShape,
  'exit-codes': exitCodes,
  signals,
  bytes,
  stdin,
  stdio,
  environment,
  'environment-limits': environmentLimits,
  confidentiality,
  workdir,
  shell,
  timeout,
  abort,
  'first-cause': firstCause,
  escalation,
  trees,
  escapees,
  survivors,
  'held-output': heldOutput,
  'late-output': lateOutput,
  'output-cap': outputCap,
  spill,
  'spill-privacy': spillPrivacy,
  flood,
  'many-at-once': manyAtOnce,
  tasks,
  'task-output': taskOutput,
  listeners,
  disposal,
  'session-state': sessionState,
  'session-loss': sessionLoss,
  'engine-loss': engineLoss,
  isolation,
  usage,
  receipt,
  cause,
  tampering,
} as const satisfies Record<string, Behaviour>

/** Names one behaviour, for `only`. */
export type BehaviourName = keyof typeof behaviours

import type { FactProbe } from './fact-probe.ts'

/** Without an init, orphans that ended stay, count against the pids limit, and block the session at last. */
export const initProbe: FactProbe = {
  name: 'init',
  judge: ({ info }) =>
    info.initBinary === undefined || info.initBinary === ''
      ? { status: 'unknown', detail: 'the engine does not name the program that reaps orphans' }
      : { status: 'ok', detail: `${info.initBinary} reaps orphans` },
}

import { constants } from 'node:os'
import type { Suite } from '../suite.ts'

/**
 * Whether the executor's own signal ended a command. One without exact signals may know the signal
 * since it sent it, or may know no more than 128 + n.
 */
export function endedBy(
  { capabilities }: Suite,
  { exitCode, signal }: { exitCode: number | null; signal: NodeJS.Signals | null },
  sent: 'SIGTERM' | 'SIGKILL',
): { endedBySignal: boolean } {
  const exactly = exitCode === null && signal === sent
  const byNumber = exitCode === 128 + constants.signals[sent] && signal === null
  return { endedBySignal: exactly || (!capabilities.exactSignals && byNumber) }
}

import { runBash } from './run-bash.ts'
import type { SessionProbe } from './session-probe.ts'

/** More than a pipe holds. */
const inputBytes = 100_000

/** A proxy that passes no half-close on lets every command with an input hang. */
export const stdinEndProbe: SessionProbe = {
  name: 'stdin-end',
  hint: 'Connect to the engine without a proxy.',
  run: async (container) => {
    const script = 'IFS= read -r -d "" text; printf %s "${#text}"'
    const { output } = await runBash(container, script, { stdin: 'x'.repeat(inputBytes) })
    if (output === String(inputBytes)) return { status: 'ok', detail: 'a command sees all of its input and its end' }
    return { status: 'failed', detail: `of ${inputBytes} bytes of input a command saw ${output}` }
  },
}

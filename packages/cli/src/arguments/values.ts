import { SandboxError } from 'dsh-bash-error'
import { parseDurationMs, parseSizeBytes } from './units.ts'
import { valueError } from './usage-error.ts'

/** Reads the value of an option that may be absent; `undefined` from `parse` is a wrong one. */
function optional<Value>(
  option: string,
  text: string | undefined,
  expected: string,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  if (text === undefined) return undefined
  const value = parse(text)
  if (value === undefined) throw valueError(option, expected, text)
  return value
}

/** @throws `USAGE` */
export function sizeBytes(option: string, text: string | undefined): number | undefined {
  return optional(option, text, 'a size such as 64000, 512m or 2g', parseSizeBytes)
}

/** @throws `USAGE` */
export function durationMs(option: string, text: string | undefined): number | undefined {
  return optional(option, text, durationForm, parseDurationMs)
}

/** @throws `TIMEOUT_INVALID` */
export function timeoutMs(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = parseDurationMs(text)
  // Node's timers hold a signed 32-bit number of milliseconds.
  if (value !== undefined && value <= 2_147_483_647) return value
  throw new SandboxError('TIMEOUT_INVALID', `--${option} takes ${durationForm}, not ${JSON.stringify(text)}`, {
    context: { value: text },
    hint: 'Give a positive number of milliseconds, or one with the unit ms, s, m, h or d; 24d is the longest.',
  })
}

const durationForm = 'a duration such as 1500, 30s or 5m'

/** @throws `USAGE` */
export function count(option: string, text: string | undefined): number | undefined {
  return optional(option, text, 'a whole number', (digits) => (/^\d+$/.test(digits) ? Number(digits) : undefined))
}

/** @throws `USAGE` */
export function decimal(option: string, text: string | undefined): number | undefined {
  return optional(option, text, 'a number', (digits) => (/^\d+(\.\d+)?$/.test(digits) ? Number(digits) : undefined))
}

/** @throws `USAGE` */
export function choice<Choice extends string>(
  option: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  return optional(option, text, choices.join(' or '), (given) => choices.find((each) => each === given))
}

/** @throws `USAGE` */
export function user(option: string, text: string | undefined): { uid: number; gid: number } | undefined {
  return optional(option, text, 'UID:GID, two numbers', (given) => {
    const [, uid, gid] = /^(\d+):(\d+)$/.exec(given) ?? []
    return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
  })
}

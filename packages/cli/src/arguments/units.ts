const durationUnitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const kibibyte = 1024
const sizeUnitsBytes: Readonly<Record<string, number>> = {
  k: kibibyte,
  m: kibibyte ** 2,
  g: kibibyte ** 3,
  t: kibibyte ** 4,
}

/**
 * Milliseconds of a duration such as `1500`, `1.5s`, `2m`, `1h`: without a unit, milliseconds.
 * Undefined when the text is none, or not more than nothing.
 */
export function parseDurationMs(text: string): number | undefined {
  const [, amount, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? []
  const durationMs = Number(amount) * (durationUnitsMs[unit] as number)
  return durationMs > 0 ? durationMs : undefined
}

/**
 * Bytes of a size such as `512m`, `2g`, `1.5GiB`, `64000`: without a unit, bytes; units are powers
 * of 1024, as in the options of Docker. Undefined when the text is none.
 */
export function parseSizeBytes(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(?:([kmgt])(?:i?b)?|b)?$/i.exec(text) ?? []
  const sizeBytes = Math.floor(
    Number(amount) * (unit === undefined ? 1 : (sizeUnitsBytes[unit.toLowerCase()] as number)),
  )
  return Number.isSafeInteger(sizeBytes) ? sizeBytes : undefined
}

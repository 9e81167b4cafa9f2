import { describe, expect, it } from 'vitest'
import { parseDurationMs, parseSizeBytes } from '../../src/arguments/units.ts'

describe('parseSizeBytes', () => {
  it.each([
    ['0', 0],
    ['64000', 64_000],
    ['64000b', 64_000],
    ['1k', 1024],
    ['512m', 536_870_912],
    ['512M', 536_870_912],
    ['512mb', 536_870_912],
    ['512MiB', 536_870_912],
    ['2g', 2_147_483_648],
    ['1.5g', 1_610_612_736],
    ['1t', 1_099_511_627_776],
  ])('reads %s as %d bytes', (text, bytes) => {
    expect(parseSizeBytes(text)).toBe(bytes)
  })

  it.each(['', 'm', '-1', '+1', '1 m', ' 1m', '1x', '1mm', '1,5g', '0x10', '1e3', 'Infinity', '9007199254740992'])(
    'refuses "%s"',
    (text) => {
      expect(parseSizeBytes(text)).toBeUndefined()
    },
  )
})

describe('parseDurationMs', () => {
  it.each([
    ['1500', 1500],
    ['1500ms', 1500],
    ['0.5s', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['24d', 2_073_600_000],
  ])('reads %s as %d ms', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms)
  })

  it.each(['', '0', '0s', '-1', 's', '1 s', '1M', '1w', 'NaN', 'none'])('refuses "%s"', (text) => {
    expect(parseDurationMs(text)).toBeUndefined()
  })
})

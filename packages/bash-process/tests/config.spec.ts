import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { executorConfigShape, parseConfig, pluginConfig } from '../src/config.ts'

const schema = z.strictObject(executorConfigShape)

describe('the configuration that every executor has', () => {
  it('has these defaults', () => {
    expect(parseConfig('test', schema, undefined)).toEqual({
      timeoutMs: 120_000,
      maxTimeoutMs: 600_000,
      maxOutputBytes: 64_000,
      maxSpillBytes: 1_073_741_824,
      graceMs: 3_000,
    })
  })

  it.each([
    ['timeoutMs', Number.NaN],
    ['timeoutMs', 0],
    ['maxTimeoutMs', Number.POSITIVE_INFINITY],
    ['maxTimeoutMs', 2_147_483_648],
    ['maxOutputBytes', -1],
    ['maxOutputBytes', 1.5],
    ['graceMs', '3s'],
    ['colour', 'red'],
  ])('refuses %s: %s by its name, with a code and a hint', (field, value) => {
    expect(() => parseConfig('test', schema, { [field]: value })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(field),
        context: { fields: [field] },
        hint: expect.stringContaining('field'),
      }),
    )
  })

  it('fails with the same error through the Standard Schema interface', () => {
    const validate = pluginConfig('test', schema)['~standard'].validate
    expect(validate({})).toMatchObject({ value: { timeoutMs: 120_000 } })
    expect(() => validate({ graceMs: -1 })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })
})

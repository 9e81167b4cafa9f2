import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseImageReference, repositoryName } from '../../src/image/image-reference.ts'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`

describe('an image reference', () => {
  it.each([
    ['debian', { registry: 'docker.io', repository: 'library/debian', tag: 'latest' }],
    ['debian:12', { registry: 'docker.io', repository: 'library/debian', tag: '12' }],
    ['team/tool', { registry: 'docker.io', repository: 'team/tool', tag: 'latest' }],
    ['localhost/tool', { registry: 'localhost', repository: 'tool', tag: 'latest' }],
    ['host:5000/a/b:v1.2', { registry: 'host:5000', repository: 'a/b', tag: 'v1.2' }],
    ['ghcr.io/a/b__c-d', { registry: 'ghcr.io', repository: 'a/b__c-d', tag: 'latest' }],
    ['[::1]:5000/a', { registry: '[::1]:5000', repository: 'a', tag: 'latest' }],
    [`host:5000/a@${digest}`, { registry: 'host:5000', repository: 'a', digest }],
    [`a:tag@${digest}`, { registry: 'docker.io', repository: 'library/a', tag: 'tag', digest }],
  ])('%s is read', (text, expected) => {
    expect(parseImageReference(text)).toEqual(expected)
  })

  it.each([
    '',
    ' ',
    'Debian',
    'a b',
    'a:',
    ':tag',
    'a:-tag',
    '/a',
    'a/',
    'a//b',
    'a/B',
    'a@sha256:short',
    `a@${digest}@${digest}`,
    'host:port/a',
    '-a',
    'a..b',
    'http://host/a',
    'a\0b',
    `a:${'t'.repeat(129)}`,
    'x'.repeat(256),
  ])('%j is refused', (text) => {
    expect(() => parseImageReference(text)).toThrow(expect.objectContaining({ code: 'IMAGE_REFERENCE_INVALID' }))
  })

  const part = fc.stringMatching(/^[a-z0-9]{1,8}([._-][a-z0-9]{1,8})?$/)
  const registry = fc.option(fc.constantFrom('localhost', 'host:5000', 'ghcr.io', '127.0.0.1:80'), { nil: undefined })

  it('is the same when it is written out and read again', () => {
    fc.assert(
      fc.property(registry, fc.array(part, { minLength: 1, maxLength: 4 }), part, (host, path, tag) => {
        const parsed = parseImageReference(`${host === undefined ? '' : `${host}/`}${path.join('/')}:${tag}`)
        expect(parsed.tag).toBe(tag)
        expect(parseImageReference(`${repositoryName(parsed)}:${tag}`)).toEqual(parsed)
      }),
    )
  })

  it('is read or refused with the same error, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        try {
          parseImageReference(text)
        } catch (error) {
          expect(error).toMatchObject({ code: 'IMAGE_REFERENCE_INVALID' })
        }
      }),
    )
  })
})

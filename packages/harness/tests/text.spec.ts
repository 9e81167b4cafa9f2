import { describe, expect, it } from 'vitest'
import { literalEdit } from '../src/fs/literal-edit.ts'
import { editableText, textForDiff, TextReader } from '../src/fs/text.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

describe('a text that is read', () => {
  it('is whole however it was cut', () => {
    const whole = bytes('\u{FEFF}äö€𝄞\n')
    for (let at = 0; at <= whole.length; at++) {
      const reader = new TextReader('/file')
      expect(reader.take(whole.subarray(0, at)) + reader.take(whole.subarray(at)) + reader.end()).toBe('äö€𝄞\n')
    }
  })

  it('is refused when it is none', () => {
    const refused = expect.objectContaining({ code: 'FS_NOT_TEXT' })
    expect(() => new TextReader('/file').take(bytes('a\0b'))).toThrow(refused)
    expect(() => new TextReader('/file').take(Uint8Array.of(0xff))).toThrow(refused)
    const reader = new TextReader('/file')
    reader.take(bytes('ä').subarray(0, 1))
    expect(() => reader.end()).toThrow(refused)
  })

  it('may hold a NUL past its beginning', () => {
    const reader = new TextReader('/file')
    reader.take(bytes('x'.repeat(8192)))
    expect(reader.take(bytes('\0'))).toBe('\0')
  })
})

describe('a text that is edited', () => {
  it.each([
    ['LF', 'one\ntwo\n', 'one\n2\n'],
    ['CRLF', 'one\r\ntwo\r\n', 'one\r\n2\r\n'],
    ['mostly LF', 'one\r\ntwo\nthree\n', 'one\n2\nthree\n'],
    ['a byte order mark', '\u{FEFF}one\ntwo\n', '\u{FEFF}one\n2\n'],
    ['a lone carriage return', 'one\rtwo\n', 'one\r2\n'],
  ])('keeps %s', (_what, before, after) => {
    const { text, restore } = editableText(bytes(before), '/file')
    const edit = { oldString: 'two', newString: '2', replaceAll: false }
    expect(restore(literalEdit(text, edit, '/file'))).toBe(after)
  })

  it.each([
    ['nothing', '', false, 'FS_EDIT_NOT_FOUND'],
    ['what is not there', 'three', false, 'FS_EDIT_NOT_FOUND'],
    ['what is there twice', 'o', false, 'FS_AMBIGUOUS_EDIT'],
  ])('is not changed for %s', (_what, oldString, replaceAll, code) => {
    expect(() => literalEdit('one\ntwo\n', { oldString, newString: 'x', replaceAll }, '/file')).toThrow(
      expect.objectContaining({ code }),
    )
  })

  it('is changed everywhere when that is meant, and line ends of either kind match', () => {
    const edit = { oldString: 'o\r\n', newString: 'O\r\n', replaceAll: true }
    expect(literalEdit('no\nso\n', edit, '/file')).toBe('nO\nsO\n')
  })

  it('is refused with a NUL anywhere', () => {
    expect(() => editableText(bytes('x'.repeat(9000) + '\0'), '/file')).toThrow(
      expect.objectContaining({ code: 'FS_NOT_TEXT' }),
    )
  })

  it('is no basis of a diff when it is none', () => {
    expect(textForDiff(bytes('a\r\nb'))).toBe('a\nb')
    expect(textForDiff(bytes('a\0'))).toBeNull()
    expect(textForDiff(Uint8Array.of(0xff))).toBeNull()
  })
})

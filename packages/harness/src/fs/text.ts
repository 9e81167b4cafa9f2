import { FsError } from '@deepseek-ai/dsh-fs'

/** Bytes at the beginning of a file in which a NUL says that it is no text. */
const sampleBytes = 8192

const byteOrderMark = '\u{FEFF}'

/** Decodes one file as it is read; a byte order mark is no text of it. */
export class TextReader {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true })
  private sampledBytes = 0
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** @throws `FS_NOT_TEXT` */
  take(chunk: Uint8Array): string {
    const sample = chunk.subarray(0, Math.max(0, sampleBytes - this.sampledBytes))
    this.sampledBytes += sample.length
    if (sample.includes(0)) throw notText('read', this.path, 'binary file')
    return this.decode(() => this.decoder.decode(chunk, { stream: true }))
  }

  /** @throws `FS_NOT_TEXT` when a character is incomplete */
  end(): string {
    return this.decode(() => this.decoder.decode())
  }

  private decode(step: () => string): string {
    try {
      return step()
    } catch (error) {
      throw notText('read', this.path, 'invalid UTF-8 text', error)
    }
  }
}

/** A text as the seam compares and shows it, and what it takes to write it back as it was. */
export interface EditableText {
  /** Lines end with LF. */
  readonly text: string
  /** With the line ends and the byte order mark of the file. */
  restore(text: string): string
}

/** @throws `FS_NOT_TEXT` */
export function editableText(bytes: Uint8Array, path: string): EditableText {
  if (bytes.includes(0)) throw notText('edit', path, 'binary file')
  let raw: string
  try {
    raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw notText('edit', path, 'invalid UTF-8 text', error)
  }
  const mark = raw.startsWith(byteOrderMark) ? byteOrderMark : ''
  const text = withLf(raw.slice(mark.length))
  const usesCrlf = isMostlyCrlf(raw)
  return { text, restore: (changed) => mark + (usesCrlf ? withLf(changed).replaceAll('\n', '\r\n') : changed) }
}

/** The text that a write replaces, to show what it changed; null for what is no text. */
export function textForDiff(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return withLf(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null // no UTF-8
  }
}

/** Lone carriage returns are part of a line. */
export function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function isMostlyCrlf(raw: string): boolean {
  const crlfCount = raw.split('\r\n').length - 1
  return crlfCount > raw.split('\n').length - 1 - crlfCount
}

function notText(verb: string, path: string, why: string, cause?: unknown): FsError {
  return new FsError(`cannot ${verb} "${path}": ${why}`, 'FS_NOT_TEXT', { cause })
}

/** Most bytes of one read: with every byte escaped it still fits the message that a client takes. */
export const maxReadBytes = 1024 * 1024

const prefix = 'bash-docker://spill'

/** How a client asks for a part of a spill file. */
export const spillUriTemplate = `${prefix}{+path}{?offset,length}`

/** A spill file, or a part of it. */
export interface SpillRequest {
  readonly path: string
  /** Undefined asks for the whole file. */
  readonly page: SpillPage | undefined
}

export interface SpillPage {
  readonly offset: number
  /** At most {@link maxReadBytes}. */
  readonly length: number
}

export function spillUri(path: string, page?: SpillPage): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return page === undefined ? `${prefix}${encoded}` : `${prefix}${encoded}?offset=${page.offset}&length=${page.length}`
}

/** Undefined for what is no URI of a spill file, or asks for an impossible part of one. */
export function parseSpillUri(uri: string): SpillRequest | undefined {
  const [, encodedPath = '', query] = /^bash-docker:\/\/spill(\/[^?#]*)(?:\?([^#]*))?$/.exec(uri) ?? []
  const path = decode(encodedPath)
  if (path === undefined || path === '') return undefined
  if (query === undefined) return { path, page: undefined }
  const parameters = new URLSearchParams(query)
  const offset = wholeNumber(parameters.get('offset') ?? '0')
  const length = wholeNumber(parameters.get('length') ?? String(maxReadBytes))
  if (offset === undefined || length === undefined || length < 1 || length > maxReadBytes) return undefined
  return { path, page: { offset, length } }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // a percent sign that encodes nothing
  }
}

function wholeNumber(digits: string): number | undefined {
  const value = /^\d{1,16}$/.test(digits) ? Number(digits) : undefined
  return Number.isSafeInteger(value) ? value : undefined
}

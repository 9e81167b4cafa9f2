import {
  ErrorCode,
  type ListResourcesResult,
  McpError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js'
import { posix } from 'node:path'
import type { BashExecutor } from 'dsh-bash'
import { isSandboxError } from 'dsh-bash-error'
import { readSpillPart } from './read-spill-part.ts'
import { maxReadBytes, parseSpillUri, spillUri, spillUriTemplate } from './spill-uri.ts'

/** Under which name a part of a file says where it lies, and where the next one is. */
const pageMetaKey = 'bash-docker/page'

/** As of the protocol: there is no such resource. */
const resourceNotFound = -32_002

const listPageSize = 200

/** The spill files that results of one client have named, as resources. Nobody else's are in it. */
export class SpillResources {
  private readonly bash: BashExecutor
  private readonly paths = new Set<string>()

  constructor(bash: BashExecutor) {
    this.bash = bash
  }

  /** @returns whether one of them was new */
  add(paths: readonly string[]): boolean {
    const before = this.paths.size
    for (const path of paths) this.paths.add(path)
    return this.paths.size > before
  }

  /** @throws `McpError` for a cursor that is none of ours */
  list(cursor: string | undefined): ListResourcesResult {
    const from = cursor === undefined ? 0 : Number(cursor)
    if (!Number.isSafeInteger(from) || from < 0) throw new McpError(ErrorCode.InvalidParams, 'unknown cursor')
    const to = from + listPageSize
    const resources = [...this.paths].slice(from, to).map(spillResource)
    return { resources, ...(to < this.paths.size ? { nextCursor: String(to) } : {}) }
  }

  templates(): ResourceTemplate[] {
    const description = `Part of the complete output of a command: at most ${maxReadBytes} bytes from a byte offset on`
    return [{ name: 'spill-part', uriTemplate: spillUriTemplate, description }]
  }

  /** @throws `McpError`, which says what is wrong with the URI, or that the file is gone */
  async read(uri: string): Promise<ReadResourceResult> {
    const request = parseSpillUri(uri)
    if (request === undefined || !this.paths.has(request.path)) throw notFound(uri)
    const { path, page } = request
    const { offset, length } = page ?? { offset: 0, length: maxReadBytes }
    const { bytes, hasMore } = await readSpillPart(this.open(path), offset, length).catch((error: unknown) => {
      throw this.readFailure(error, path, uri)
    })
    if (page === undefined && hasMore) {
      const first = spillUri(path, { offset: 0, length: maxReadBytes })
      const message = `the file is longer than ${maxReadBytes} bytes; read it in parts, the first being ${first}`
      throw new McpError(ErrorCode.InvalidParams, message, { uri, first })
    }
    const next = hasMore ? { next: spillUri(path, { offset: offset + bytes.byteLength, length }) } : {}
    const _meta = { [pageMetaKey]: { offset, byteCount: bytes.byteLength, ...next } }
    return { contents: [{ uri, ...contentOf(bytes), _meta }] }
  }

  private open(path: string): AsyncIterable<Uint8Array> {
    return this.bash.readSpill?.(path) ?? noBytes()
  }

  private readFailure(error: unknown, path: string, uri: string): unknown {
    if (!isSandboxError(error) || error.code !== 'SPILL_UNAVAILABLE') return error
    this.paths.delete(path)
    return notFound(uri)
  }
}

/** For a result: where the rest of it is. */
export function spillResource(path: string): Resource {
  return { uri: spillUri(path), name: posix.basename(path), description: 'Complete output of a command' }
}

function notFound(uri: string): McpError {
  const hint = 'Only spill files that results of this connection named can be read, as long as their container lives.'
  return new McpError(resourceNotFound, 'resource not found', { uri, code: 'SPILL_UNAVAILABLE', hint })
}

function contentOf(bytes: Uint8Array): { text: string; mimeType: string } | { blob: string; mimeType: string } {
  try {
    // With a byte order mark, since the bytes are to be had again from the text.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { text, mimeType: 'text/plain' }
  } catch {
    // Not text, or cut in the middle of a character.
    return { blob: Buffer.from(bytes).toString('base64'), mimeType: 'application/octet-stream' }
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

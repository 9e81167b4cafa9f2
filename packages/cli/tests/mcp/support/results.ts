import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

/** The text that a model gets. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

/** What a program gets. */
export function structured<Value>(result: CallToolResult): Value {
  if (result.isError === true) throw new Error(textOf(result))
  return result.structuredContent as Value
}

/** The code of an error that a model gets. */
export function errorCodeOf({ isError, _meta }: CallToolResult): unknown {
  if (isError !== true) throw new Error('it is no error')
  return (_meta?.['bash-docker/error'] as { code: unknown } | undefined)?.code
}

/** The bytes of what a resource gave. */
export function bytesOf(read: Record<string, unknown>): Buffer {
  const [content] = read['contents'] as { text?: string; blob?: string }[]
  return content?.blob === undefined ? Buffer.from(content?.text ?? '') : Buffer.from(content.blob, 'base64')
}

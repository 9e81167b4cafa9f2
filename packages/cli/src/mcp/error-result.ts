import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { isSandboxError, messageOf } from 'dsh-bash-error'

/** Under which name a result that is an error carries its code. */
const errorMetaKey = 'bash-docker/error'

/**
 * An error for the model to read and for a program to tell apart. It is no `structuredContent`, since that
 * has to fit the tool's `outputSchema`.
 */
export function errorResult(error: unknown): CallToolResult {
  if (!isSandboxError(error)) {
    console.error(error) // A fault of this program: its stack is wanted.
    return { isError: true, content: [{ type: 'text', text: `internal error: ${messageOf(error)}` }] }
  }
  const { code, message, hint, retryable } = error
  return {
    isError: true,
    content: [{ type: 'text', text: `${message} (${code}). ${hint}` }],
    _meta: { [errorMetaKey]: { code, message, hint, retryable } },
  }
}

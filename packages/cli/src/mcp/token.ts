import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { messageOf } from 'dsh-bash-error'
import { usageError } from '../arguments/usage-error.ts'

/** Holds the token where no file does. */
const tokenVariable = 'BASH_DOCKER_MCP_TOKEN'

/** What a client over HTTP has to show. */
export interface Token {
  readonly value: string
  /** Nobody knows it yet: it has to be shown. */
  readonly isNew: boolean
}

/**
 * The token from a file, else from the environment, else a new one of 256 random bits.
 *
 * @throws `USAGE` for a file that cannot be read, and for a token that is short or no token of HTTP
 */
export function readToken(path: string | undefined, env: NodeJS.ProcessEnv): Token {
  const given = path === undefined ? env[tokenVariable] : readTokenFile(path)
  // No command gets to see it, whatever is inherited.
  delete env[tokenVariable]
  if (given === undefined) return { value: randomBytes(32).toString('base64url'), isNew: true }
  const value = given.trim()
  // The form of RFC 6750; long enough not to be guessed.
  if (!/^[\w.~+/-]{16,}=*$/.test(value)) {
    throw usageError(
      `the token in ${path ?? tokenVariable} is not one`,
      'Give 16 or more letters, digits, "-", ".", "_", "~", "+" or "/".',
    )
  }
  return { value, isNew: false }
}

/** Takes the same time whatever is wrong with it. */
export function showsToken(authorization: string | undefined, token: string): boolean {
  const [, shown = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return timingSafeEqual(digest(shown), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function readTokenFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usageError(`--token-file cannot be read: ${messageOf(error)}`)
  }
}

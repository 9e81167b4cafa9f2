import { SandboxError } from 'dsh-bash-error'

/** The newest API that this package was written against (Engine 27). */
export const newestApiVersion = '1.47'
/** The oldest that has what a session needs (Engine 20.10). */
export const oldestApiVersion = '1.41'

/**
 * The API version to speak with an engine: the newest that both know.
 *
 * @throws `ENGINE_TOO_OLD` below {@link oldestApiVersion}; `ENGINE_REFUSED` when the engine no longer
 * speaks {@link newestApiVersion}
 */
export function negotiateApiVersion(server: { newest: string; oldest: string | undefined }): string {
  if (compareApiVersions(server.newest, oldestApiVersion) < 0) {
    throw new SandboxError(
      'ENGINE_TOO_OLD',
      `the engine speaks API ${server.newest}; ${oldestApiVersion} is needed at least`,
      { context: { apiVersion: server.newest, neededApiVersion: oldestApiVersion } },
    )
  }
  if (server.oldest !== undefined && compareApiVersions(server.oldest, newestApiVersion) > 0) {
    throw new SandboxError(
      'ENGINE_REFUSED',
      `the engine speaks no API older than ${server.oldest}; ${newestApiVersion} is the newest known here`,
      { context: { oldestApiVersion: server.oldest, newestApiVersion }, hint: 'Update this package.' },
    )
  }
  return compareApiVersions(server.newest, newestApiVersion) < 0 ? server.newest : newestApiVersion
}

/** Negative, zero or positive, as a comparison function; by number, since 1.9 is older than 1.41. */
export function compareApiVersions(left: string, right: string): number {
  const [leftMajor = 0, leftMinor = 0] = left.split('.').map(Number)
  const [rightMajor = 0, rightMinor = 0] = right.split('.').map(Number)
  return leftMajor - rightMajor || leftMinor - rightMinor
}

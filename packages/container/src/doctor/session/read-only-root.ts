import type { Finding } from '../probe-result.ts'
import { readFirst } from './run-bash.ts'
import type { SessionProbe } from './session-probe.ts'

export const readOnlyRootProbe: SessionProbe = {
  name: 'read-only-root',
  run: async (container) => judgeRoot(await readFirst(container, ['/proc/self/mounts'])),
}

/** @param mounts by fstab(5): device, path, type, options */
export function judgeRoot(mounts: string | undefined): Finding {
  const root = (mounts ?? '')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, path]) => path === '/')
  if (root === undefined) return { status: 'unknown', detail: 'the container does not tell how its root is mounted' }
  const isReadOnly = root[3]?.split(',').includes('ro') === true
  if (isReadOnly) return { status: 'ok', detail: 'the root of a session is read-only' }
  return { status: 'failed', detail: 'the root of a session is writable, though it was asked for read-only' }
}

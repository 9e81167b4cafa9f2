import type { Finding } from '../probe-result.ts'
import { readFirst } from './run-bash.ts'
import type { SessionProbe } from './session-probe.ts'

export const noNetworkProbe: SessionProbe = {
  name: 'no-network',
  run: async (container) => judgeInterfaces(await readFirst(container, ['/proc/net/dev'])),
}

/** Addresses of no network: the loopback, and tunnels that a kernel shows in every namespace and that are down. */
const harmlessInterfaces = /^(lo|(tunl|gre|gretap|erspan|ip_vti|ip6_vti|sit|ip6tnl|ip6gre)0)$/

/** @param devices the content of `/proc/net/dev`: two lines of headings, then an interface a line */
export function judgeInterfaces(devices: string | undefined): Finding {
  if (devices === undefined) return { status: 'unknown', detail: 'the container does not tell which interfaces it has' }
  const names = devices
    .split('\n')
    .slice(2)
    .flatMap((line) => (line.includes(':') ? [line.slice(0, line.indexOf(':')).trim()] : []))
  const outward = names.filter((name) => !harmlessInterfaces.test(name))
  if (outward.length === 0) return { status: 'ok', detail: 'a session has no network' }
  return {
    status: 'failed',
    detail: `a session has network interfaces though it was asked for none: ${outward.join(', ')}`,
  }
}

import type { FactProbe } from './fact-probe.ts'

/** Runtimes with a kernel of their own below the container, by the names under which they are installed. */
const strongRuntimes = /^(runsc|gvisor|kata.*|io\.containerd\.(runsc|kata).*)$/

export const runtimesProbe: FactProbe = {
  name: 'runtimes',
  judge: ({ info }) => {
    const { runtimes, defaultRuntime } = info
    if (runtimes.length === 0) return { status: 'unknown', detail: 'the engine names no runtimes' }
    const names = runtimes.map((name) => (name === defaultRuntime ? `${name} (default)` : name)).join(', ')
    const hasStrong = runtimes.some((name) => strongRuntimes.test(name))
    return {
      status: 'ok',
      detail: hasStrong ? names : `${names}; none with a kernel of its own, such as gVisor`,
    }
  },
}

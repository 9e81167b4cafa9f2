import { infoAnswer, versionAnswer } from '../../src/engine/answers.ts'
import type { EngineFacts } from '../../src/doctor/facts/fact-probe.ts'

/** What a plain engine on a plain Linux answers. */
const info = {
  NCPU: 4,
  MemTotal: 8e9,
  CgroupVersion: '2',
  SecurityOptions: ['name=apparmor', 'name=seccomp,profile=builtin', 'name=cgroupns'],
  Runtimes: { runc: {}, 'io.containerd.runc.v2': {} },
  DefaultRuntime: 'runc',
  OSType: 'linux',
  Architecture: 'x86_64',
  OperatingSystem: 'Ubuntu 26.04 LTS',
  Driver: 'overlay2',
  DriverStatus: [['Backing Filesystem', 'extfs']],
  InitBinary: 'docker-init',
  MemoryLimit: true,
  SwapLimit: true,
  CpuCfsQuota: true,
  PidsLimit: true,
  Warnings: null,
}

const components = { Engine: '29.6.0', containerd: 'v2.2.0', runc: '1.4.3' }

/** Facts of a plain engine, but for some answers of its own. */
export function engineFacts(changes: { info?: object; components?: Record<string, string> } = {}): EngineFacts {
  const versions = { ...components, ...changes.components }
  return {
    apiVersion: '1.47',
    info: infoAnswer.parse({ ...info, ...changes.info }),
    version: versionAnswer.parse({
      Version: versions.Engine,
      ApiVersion: '1.52',
      MinAPIVersion: '1.44',
      Components: Object.entries(versions).map(([Name, Version]) => ({ Name, Version })),
    }),
  }
}

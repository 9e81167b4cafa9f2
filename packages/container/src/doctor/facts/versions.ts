import type { Finding } from '../probe-result.ts'
import type { EngineFacts, FactProbe } from './fact-probe.ts'

/** The API that is spoken; an engine that is too old for us was refused at the connection. */
export const apiVersionProbe: FactProbe = {
  name: 'api-version',
  judge: ({ apiVersion, version }) => ({
    status: 'ok',
    detail: `API ${apiVersion} is spoken; the engine knows ${version.oldestApiVersion ?? '?'} to ${version.apiVersion}`,
  }),
}

export const engineVersionProbe: FactProbe = {
  name: 'engine-version',
  judge: ({ version, info }) => ({
    status: 'ok',
    detail: `engine ${version.engine} on ${info.operatingSystem} (${info.osType}/${info.architecture})`,
  }),
}

export const containerdVersionProbe: FactProbe = {
  name: 'containerd-version',
  judge: (facts) => {
    const version = component(facts, 'containerd')
    return version === undefined ? notReported('containerd') : { status: 'ok', detail: `containerd ${version}` }
  },
}

/** The version of a part of the engine, where it tells. */
export function component({ version }: EngineFacts, name: string): string | undefined {
  const reported = version.components[name]
  return reported === '' ? undefined : reported
}

export function notReported(name: string): Finding {
  return { status: 'unknown', detail: `the engine does not report its version of ${name}` }
}

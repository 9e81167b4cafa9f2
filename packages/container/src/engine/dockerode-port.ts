import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { Readable } from 'node:stream'
import Docker from 'dockerode'
import type { z } from 'zod'
import {
  containerAnswer,
  containersAnswer,
  createdAnswer,
  execAnswer,
  imageAnswer,
  infoAnswer,
  networksAnswer,
  versionAnswer,
  volumesAnswer,
  waitAnswer,
} from './answers.ts'
import { absentOn404, callEngine, type EngineCall, readAnswer, refusalStatus } from './call.ts'
import type { EngineEndpoint } from './endpoint.ts'
import { hijack } from './hijack.ts'
import type { Cancellable, EnginePort } from './port.ts'

/** Deadlines by the kind of call; an engine under load answers late, a broken one never. */
export interface CallDeadlines {
  /** Asking for a fact. */
  readonly askMs: number
  /** Creating or removing something, or the upgrade of a stream. */
  readonly changeMs: number
  /** Starting a container. */
  readonly startMs: number
  /** Until a pull, an import or a build answers; its stream then takes as long as it takes. */
  readonly transferMs: number
}

const defaultCallDeadlines: CallDeadlines = {
  askMs: 5_000,
  changeMs: 30_000,
  startMs: 60_000,
  transferMs: 600_000,
}

/** {@link EnginePort} over dockerode. */
export function openDockerodePort(
  endpoint: EngineEndpoint,
  apiVersion: string | undefined,
  deadlines: CallDeadlines = defaultCallDeadlines,
): EnginePort {
  const { host } = endpoint
  const docker = new Docker(connection(endpoint, apiVersion))
  const abortable = docker as unknown as AbortableCalls

  const ask = async <Output>(
    what: string,
    schema: z.ZodType<Output>,
    run: (abortSignal: AbortSignal) => Promise<unknown>,
    { signal }: Cancellable = {},
  ): Promise<Output> => {
    const call: EngineCall = { what, host, deadlineMs: deadlines.askMs, signal }
    return readAnswer(call, schema, await callEngine(call, run))
  }
  const change = <Answer>(
    what: string,
    run: (abortSignal: AbortSignal) => Promise<Answer>,
    { signal }: Cancellable = {},
    deadlineMs = deadlines.changeMs,
  ): Promise<Answer> => callEngine({ what, host, deadlineMs, signal }, run)
  const labelled = (label: string): { filters: string } => ({ filters: JSON.stringify({ label: [label] }) })

  return {
    version: (options) =>
      ask('ask for the version', versionAnswer, (abortSignal) => abortable.version({ abortSignal }), options),
    info: (options) => ask('ask for its facts', infoAnswer, (abortSignal) => abortable.info({ abortSignal }), options),

    async createContainer(name, body, options) {
      const what = 'create the container'
      // Without `_query` the library would write the whole body into the URL as well.
      const request = { _query: { name }, _body: body }
      const created = await change(
        what,
        (abortSignal) => docker.createContainer({ ...request, abortSignal } as Docker.ContainerCreateOptions),
        options,
      )
      return readAnswer({ what, host }, createdAnswer, created)
    },
    attachContainer: (id, options) =>
      hijack(
        { what: 'attach to the container', host, deadlineMs: deadlines.changeMs, signal: options?.signal },
        (abortSignal, done) => {
          const streams = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true }
          docker.getContainer(id).attach({ ...streams, abortSignal }, done)
        },
      ),
    async startContainer(id, options) {
      const start = (abortSignal: AbortSignal): Promise<unknown> => docker.getContainer(id).start({ abortSignal })
      await change('start the container', start, options, deadlines.startMs)
    },
    async waitContainer(id, options) {
      const what = 'wait for the container'
      const wait = (abortSignal: AbortSignal): Promise<unknown> =>
        docker.getContainer(id).wait({ condition: 'next-exit', abortSignal })
      return readAnswer({ what, host }, waitAnswer, await change(what, wait, options, deadlines.startMs))
    },
    inspectContainer: (id) =>
      absentOn404(
        ask('inspect the container', containerAnswer, (abortSignal) =>
          docker.getContainer(id).inspect({ abortSignal }),
        ),
      ),
    async removeContainer(id) {
      const remove = (abortSignal: AbortSignal): Promise<unknown> =>
        docker.getContainer(id).remove({ force: true, v: true, abortSignal })
      await alreadyDone(change('remove the container', remove))
    },
    listContainers: (label) =>
      ask('list containers', containersAnswer, (abortSignal) =>
        docker.listContainers({ all: true, ...labelled(label), abortSignal }),
      ),

    async createExec(containerId, body) {
      const what = 'create the exec'
      const created = await change(what, (abortSignal) =>
        docker.getContainer(containerId).exec({ ...body, abortSignal } as unknown as Docker.ExecCreateOptions),
      )
      return readAnswer({ what, host }, createdAnswer, created)
    },
    startExec: (execId) =>
      hijack({ what: 'start the exec', host, deadlineMs: deadlines.changeMs }, (abortSignal, done) => {
        docker.getExec(execId).start({ hijack: true, Detach: false, Tty: false, abortSignal }, done)
      }),
    inspectExec: (execId) =>
      absentOn404(
        ask('inspect the exec', execAnswer, (abortSignal) => docker.getExec(execId).inspect({ abortSignal })),
      ),

    inspectImage: (reference) =>
      absentOn404(ask('inspect the image', imageAnswer, () => docker.getImage(reference).inspect())),
    pullImage: ({ name, tag }, auth, options) => {
      const pull = (abortSignal: AbortSignal): Promise<NodeJS.ReadableStream> =>
        docker.createImage(auth ?? {}, { fromImage: name, tag, abortSignal })
      return change('pull the image', pull, options, deadlines.transferMs) as Promise<Readable>
    },
    importImage: (rootfs, { name, tag, changes }, options) => {
      const load = (abortSignal: AbortSignal): Promise<NodeJS.ReadableStream> =>
        docker.importImage(rootfs, { repo: name, tag, changes: [...changes], abortSignal })
      return change('import the image', load, options, deadlines.transferMs) as Promise<Readable>
    },
    buildImage: (context, { reference, labels }, options) => {
      const build = (abortSignal: AbortSignal): Promise<NodeJS.ReadableStream> =>
        docker.buildImage(context, { t: reference, labels, rm: true, forcerm: true, abortSignal })
      return change('build the image', build, options, deadlines.transferMs) as Promise<Readable>
    },

    async putArchive(containerId, path, tar) {
      await change('put files into the container', (abortSignal) =>
        docker.getContainer(containerId).putArchive(tar, { path, abortSignal }),
      )
    },

    async createVolume(name, labels) {
      await change('create the volume', (abortSignal) =>
        docker.createVolume({ Name: name, Labels: { ...labels }, abortSignal }),
      )
    },
    async hasVolume(name) {
      const inspect = (abortSignal: AbortSignal): Promise<unknown> => docker.getVolume(name).inspect({ abortSignal })
      return (await absentOn404(change('inspect the volume', inspect))) !== undefined
    },
    listVolumes: (label) =>
      ask('list volumes', volumesAnswer, (abortSignal) => docker.listVolumes({ ...labelled(label), abortSignal })),
    async removeVolume(name) {
      const remove = (abortSignal: AbortSignal): Promise<unknown> => docker.getVolume(name).remove({ abortSignal })
      await absentOn404(change('remove the volume', remove))
    },
    listNetworks: (label) =>
      ask('list networks', networksAnswer, (abortSignal) => docker.listNetworks({ ...labelled(label), abortSignal })),
    async removeNetwork(id) {
      const remove = (abortSignal: AbortSignal): Promise<unknown> => docker.getNetwork(id).remove({ abortSignal })
      await absentOn404(change('remove the network', remove))
    },
  }
}

/** The library takes a signal with every call; its published types do not know that of these. */
interface AbortableCalls {
  version(options: { abortSignal: AbortSignal }): Promise<unknown>
  info(options: { abortSignal: AbortSignal }): Promise<unknown>
}

/** A removal that someone else has done (404) or is doing (409). */
async function alreadyDone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal
  } catch (error) {
    const status = refusalStatus(error)
    if (status !== 404 && status !== 409) throw error
  }
}

/**
 * Every field is given, also as undefined: what is left out, the library takes from `DOCKER_HOST`.
 * Connections are not kept alive: one that an engine closed would fail the next call.
 */
function connection(endpoint: EngineEndpoint, apiVersion: string | undefined): Docker.DockerOptions {
  const version = apiVersion === undefined ? undefined : `v${apiVersion}`
  const none = {
    host: undefined,
    port: undefined,
    socketPath: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
  }
  const target =
    endpoint.kind === 'unix'
      ? { ...none, socketPath: endpoint.socketPath, protocol: 'http', agent: new Agent({ keepAlive: false }) }
      : { ...none, host: endpoint.hostname, port: endpoint.port, ...transport(endpoint) }
  return { ...target, version, timeout: undefined } as Docker.DockerOptions
}

function transport({ tls }: Extract<EngineEndpoint, { kind: 'tcp' }>): { protocol: string; agent: Agent } {
  if (tls === undefined) return { protocol: 'http', agent: new Agent({ keepAlive: false }) }
  const { verify, ...material } = tls
  return { protocol: 'https', agent: new TlsAgent({ keepAlive: false, rejectUnauthorized: verify, ...material }) }
}

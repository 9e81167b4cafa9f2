import { Context } from '@deepseek-ai/cordis'
import type { SubprocessHandle, SubprocessRuntime } from '@deepseek-ai/dsh-subprocess'
import LocalSubprocessRuntime from '@deepseek-ai/dsh-subprocess-local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestWorld, testWorld } from './support/harness.ts'
import { bashSpec, textOf, until } from './support/processes.ts'

type Operation = (subprocess: SubprocessRuntime) => Promise<unknown>

/** How it ended, and what was collected; where a spill file lies is its world's own. */
async function resultOf(handle: SubprocessHandle): Promise<unknown> {
  const outcome = await handle.done
  const reads = Object.entries(handle.collected).map(([stream, reader]) => {
    const { spillPath, ...read } = reader.readFrom(0)
    return [stream, { ...read, isSpilled: spillPath !== undefined }]
  })
  return { outcome, ...Object.fromEntries(reads), isGone: await handle.waitForExit() }
}

function bash(command: string, changes: Parameters<typeof bashSpec>[1] = {}): Operation {
  return (subprocess) => resultOf(subprocess.spawn(bashSpec(command, { cwd: '/tmp', ...changes })))
}

function collect(maxBytes: number, spillBytes?: number) {
  const stream = spillBytes === undefined ? { maxBytes } : { maxBytes, spill: { maxBytes: spillBytes } }
  return { stdin: 'ignore', stdout: stream, stderr: stream } as const
}

const operations: Readonly<Record<string, Operation>> = {
  'an exit code': bash('exit 3'),
  'an exit code like a signal': bash('exit 143'),
  'a death by signal': bash('kill -TERM $$'),
  'a death by SIGKILL': bash('kill -KILL $$'),
  'both streams': bash('echo out; echo err >&2'),
  'no newline, no text': bash('printf ä; printf "\\xff"'),
  'an ignored stdin': bash('readlink /proc/self/fd/0; cat'),
  'a given stdin': bash('wc -c', { stdio: { ...collect(100), stdin: { data: 'ä'.repeat(100_000) } } }),
  'an empty stdin': bash('wc -c', { stdio: { ...collect(100), stdin: { data: '' } } }),
  'a stdin that nobody reads': bash('true', { stdio: { ...collect(100), stdin: { data: 'x'.repeat(1_000_000) } } }),
  'output at the cap': bash('printf 1234567890', { stdio: collect(10, 100) }),
  'output past the cap': bash('printf 12345678901', { stdio: collect(10, 100) }),
  'output past the cap, without a spill': bash('printf 12345678901', { stdio: collect(10) }),
  'output past the cap of the spill': bash('seq 1000', { stdio: collect(10, 100) }),
  'variables and tombstones': bash('echo "$GIVEN|$MY_TOKEN|${LANG-none}"', {
    env: { GIVEN: 'given', MY_TOKEN: 'meant', LANG: undefined },
  }),
  'the directory': bash('pwd'),
  'arguments as they are': (subprocess) =>
    resultOf(subprocess.spawn(bashSpec('', { argv: ['printf', '%s|', '$HOME', '', 'a b', '*'] }))),
  'a program that is not there': bash('', { argv: ['/no/such/program'] }),
  'a directory that is not there': bash('true', { cwd: '/no/such/directory' }),
  'no program': bash('', { argv: [] }),
  'no grace': bash('true', { graceMs: 0 }),
  'a signal that has aborted': bash('true', { signal: AbortSignal.abort() }),
  'a survivor that holds the output': bash('sleep 1.25 & echo started', { graceMs: 100 }),
  'an abort': async (subprocess) => {
    const controller = new AbortController()
    // Without a child, whose death bash would tell of when the signal met one.
    const spec = bashSpec('trap "echo trapped; exit 5" TERM; echo up; while :; do :; done')
    const handle = subprocess.spawn({ ...spec, signal: controller.signal })
    await until('it is up', () => (handle.collected.stdout?.readFrom(0).text === 'up\n' ? true : undefined))
    controller.abort()
    return resultOf(handle)
  },
  'a process that ignores TERM': async (subprocess) => {
    const handle = subprocess.spawn(bashSpec('trap "" TERM; echo up; sleep 60', { graceMs: 100 }))
    await until('it is up', () => (handle.collected.stdout?.readFrom(0).text === 'up\n' ? true : undefined))
    handle.terminate()
    return resultOf(handle)
  },
  pipes: async (subprocess) => {
    const stdio = { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' } as const
    const handle = subprocess.spawn(bashSpec('cat; echo err >&2', { stdio }))
    handle.stdin?.end('through')
    return Promise.all([textOf(handle.stdout), textOf(handle.stderr), resultOf(handle)])
  },
  'reads by offset': async (subprocess) => {
    const handle = subprocess.spawn(bashSpec('printf 1234567890', { stdio: collect(6) }))
    await handle.done
    return [0, 4, 5, 9, 10].map((offset) => handle.collected.stdout?.readFrom(offset))
  },
  'a lookup by path': (subprocess) => subprocess.resolveExecutable('/bin/sh'),
  'a lookup of what is not there': (subprocess) => subprocess.resolveExecutable('no-such-program'),
  'a lookup of what cannot be run': (subprocess) => subprocess.resolveExecutable('/etc/passwd'),
  'a lookup by a relative path': (subprocess) => subprocess.resolveExecutable('bin/sh'),
}

describe('processes of the container and those of dsh-subprocess-local do the same when asked to', () => {
  let world: TestWorld
  const local = new Context()
  beforeAll(async () => {
    world = await testWorld()
    await local.plugin(LocalSubprocessRuntime)
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await local.fiber.dispose()
  })

  it.each(Object.entries(operations))('%s', async (_name, operation) => {
    const [theirs, ours] = await Promise.all(
      [local.subprocess, world.ctx.subprocess].map((subprocess) =>
        // Which error it is, each provider says in its own words.
        Promise.resolve(subprocess)
          .then(operation)
          .catch(() => 'an error'),
      ),
    )
    expect(ours).toEqual(theirs)
  })
})

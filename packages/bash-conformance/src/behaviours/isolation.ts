import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Suite } from '../suite.ts'
import { quoted, refusalOf, run, stdoutOf } from '../support/commands.ts'

/** What a command cannot reach from where it runs. One that is not isolated reaches all of it. */
export function isolation({ test, expectCapability, shared, mark }: Suite): void {
  test('no server of the host', async () => {
    const { bash } = await shared()
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await once(server.listen(0, '0.0.0.0'), 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const attempts = hostAddresses().map((address) => `timeout 1 bash -c ': < /dev/tcp/${address}/${port}'`)
      await run(bash, `${attempts.join(' & ')} & wait`)
      expectCapability('isolated', connections === 0)
    } finally {
      server.close()
    }
  })

  test('no route to a network', async () => {
    const { bash } = await shared()
    const interfaces = await stdoutOf(bash, 'tail -n +3 /proc/net/dev')
    expectCapability(
      'isolated',
      interfaces.split('\n').every((line) => /^\s*(lo:.*)?$/.test(line)),
    )
  })

  test('no file of the host', async () => {
    const { bash } = await shared()
    const directory = await mkdtemp(join(tmpdir(), 'bash-conformance-host-'))
    try {
      const file = join(directory, 'only-on-the-host')
      await writeFile(file, 'host')
      expectCapability('isolated', (await stdoutOf(bash, `cat ${quoted(file)} 2> /dev/null`)) !== 'host')
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  test('no process of the host', async () => {
    const { bash } = await shared()
    const mine = `[[ -d /proc/${process.pid} ]] && tr "\\0" " " < /proc/${process.pid}/cmdline`
    expectCapability('isolated', !(await stdoutOf(bash, mine)).includes('node'))
  })

  test('no privilege, and no way to gain one', async () => {
    const { bash } = await shared()
    // Not every kernel that speaks like Linux says all of it in `status`.
    const lookups =
      'grep -E "^(NoNewPrivs|CapEff|CapPrm|CapBnd):" /proc/self/status; setpriv --dump | grep no_new_privs'
    const status = await stdoutOf(bash, `{ ${lookups}; } 2> /dev/null`)
    expectCapability(
      'isolated',
      /^(NoNewPrivs:\t|no_new_privs: )1$/m.test(status) && !/Cap\w+:\t0*[1-9a-f]/.test(status),
    )
  })

  test('no open descriptor of the host, as a directory to start in', async () => {
    const { bash } = await shared()
    const directory = await mkdtemp(join(tmpdir(), 'bash-conformance-host-'))
    try {
      const trace = `only-on-the-host-${mark()}`
      await writeFile(join(directory, trace), 'host')
      const climb = `cat ${quoted('../'.repeat(20) + join(directory, trace))} 2> /dev/null`
      const outputs: string[] = []
      for (const workdir of ['/', ...Array.from({ length: 10 }, (_, i) => `/proc/self/fd/${i + 3}`)]) {
        const refusal = await refusalOf(bash, { command: 'true', workdir })
        if (refusal === undefined) outputs.push(await stdoutOf(bash, { command: climb, workdir }))
      }
      expectCapability('isolated', !outputs.includes('host'))
    } finally {
      await rm(directory, { recursive: true })
    }
  })
}

function hostAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address)
}

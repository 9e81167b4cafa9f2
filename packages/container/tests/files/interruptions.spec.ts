import { describe, expect, it } from 'vitest'
import { type ContainerFiles, openContainerFiles } from '../../src/index.ts'
import { until } from '../supervisor/supervisor-process.ts'
import {
  background,
  bash,
  type ContainerWorld,
  fileWorlds,
  openContainerWorld,
  signalServers,
  text,
  useFileWorld,
} from './file-world.ts'

describe.each(fileWorlds)('a file server that others interrupt %s', (_, open) => {
  const at = useFileWorld(open)

  it('is started again after it was killed', async () => {
    const path = `${at.folder}/file`
    await at.files.write(path, text('content'))
    for (let i = 0; i < 5; i++) {
      await bash(at.world, at.folder, signalServers('KILL'))
      // The news of its end may be on its way still.
      await until(async () =>
        at.files.stat(path).then(
          (info) => info?.sizeBytes === 7,
          (error: { code: string; retryable: boolean }) => {
            expect(error).toMatchObject({ code: 'FILES_INTERRUPTED', retryable: true })
            return false
          },
        ),
      )
    }
  })

  it('fails a read that it had, and gives no wrong byte of it', async () => {
    await bash(at.world, at.folder, 'truncate -s 64M file')
    const { chunks } = await at.files.open(`${at.folder}/file`)
    let bytes = 0
    const reading = async () => {
      for await (const chunk of chunks) {
        if (bytes === 0) await bash(at.world, at.folder, signalServers('KILL'))
        bytes += chunk.length
        expect(Buffer.from(chunk).equals(Buffer.alloc(chunk.length))).toBe(true)
      }
    }
    await expect(reading()).rejects.toMatchObject({ code: 'FILES_INTERRUPTED', context: { signal: 'SIGKILL' } })
    expect(bytes).toBeLessThan(64 * 1024 ** 2)
  })

  it('leaves nothing of a write that it had', async () => {
    const path = `${at.folder}/file`
    await at.files.write(path, text('old'))
    async function* content() {
      yield text('new')
      await at.files.stat(path)
      await bash(at.world, at.folder, signalServers('KILL'))
      yield text('newer')
    }
    await expect(at.files.write(path, content())).rejects.toMatchObject({ code: 'FILES_INTERRUPTED' })
    expect(await bash(at.world, at.folder, 'cat file; ls -A')).toBe('oldfile\n')
    await at.files.write(path, text('again'))
    expect(await bash(at.world, at.folder, 'cat file; ls -A')).toBe('againfile\n')
  })

  it('answers right or not at all while it is killed again and again', async () => {
    const path = `${at.folder}/file`
    await at.files.write(path, text('0'))
    const stop = background(at.world, at.folder, `while :; do ${signalServers('KILL')}; done`)
    // A write that was interrupted may have taken effect.
    let possible = new Set(['0'])
    const interrupted: number[] = []
    for (let i = 1; interrupted.length < 5; i++) {
      expect(i).toBeLessThan(20_000)
      await at.files.write(path, text(`${i}`)).then(
        () => (possible = new Set([`${i}`])),
        (error: { code: string }) => {
          expect(error.code).toBe('FILES_INTERRUPTED')
          interrupted.push(i)
          possible.add(`${i}`)
        },
      )
      const content = await at.files.read(path, 10).then(
        ({ bytes }) => Buffer.from(bytes).toString(),
        () => undefined,
      )
      if (content === undefined) continue
      expect(possible).toContain(content)
      possible = new Set([content])
    }
    await stop()
    await until(() =>
      at.files.read(path, 10).then(
        () => true,
        () => false,
      ),
    )
    // What has got a name and not yet its own is left behind: see docs/files-protocol.md.
    expect(await bash(at.world, at.folder, 'ls -A | grep -v "^[.]bash-docker-"')).toBe('file\n')
  })

  it('goes on when it was stopped', async () => {
    await at.files.stat('/')
    await bash(at.world, at.folder, signalServers('STOP'))
    expect(await at.files.stat(at.folder)).toMatchObject({ kind: 'directory' })
  })
})

describe('a file server and its session', () => {
  it('fails with the session, and every call after', async () => {
    await using world = await openContainerWorld()
    await bash(world, '/tmp', 'truncate -s 8M file')
    const { chunks } = await world.files.open('/tmp/file')
    const reading = (async () => {
      for await (const chunk of chunks) if (chunk.length > 0) void world.container.end()
    })()
    await expect(reading).rejects.toMatchObject({ code: 'SESSION_LOST' })
    await expect(world.files.stat('/')).rejects.toMatchObject({ code: 'SESSION_LOST' })
    await expect(world.files.write('/tmp/new', text('x'))).rejects.toMatchObject({ code: 'SESSION_LOST' })
  })

  it('starts with the first call, and ends with its disposal, stopped or not', async () => {
    await using world = await openContainerWorld()
    const servers = () => bash(world, '/tmp', "pgrep -fc -- '--files$' || true")
    expect(await servers()).toBe('0\n')
    for (const signal of ['CONT', 'STOP']) {
      const files = ownFiles(world)
      await files.write('/tmp/file', text('x'))
      expect(await servers()).toBe('1\n')
      await bash(world, '/tmp', signalServers(signal))
      const pending = files.stat('/tmp')
      const outcome = pending.then(
        () => 'answered',
        (error: { code: string }) => error.code,
      )
      await files[Symbol.asyncDispose]()
      expect(['answered', 'FILE_ABORTED']).toContain(await outcome)
      expect(await servers()).toBe('0\n')
      await expect(files.stat('/tmp')).rejects.toMatchObject({ code: 'FILE_ABORTED' })
    }
  })

  it('says why it cannot be started, and is when it can', async () => {
    await using world = await openContainerWorld({ pidsLimit: 32 })
    const stop = background(world, '/tmp', 'while sleep 600 & do :; done 2> /dev/null; wait')
    const attempt = async () => {
      await using files = ownFiles(world)
      return await files.stat('/').then(
        ({ kind } = raise()) => kind,
        (error: { code: string; context: unknown }) => error,
      )
    }
    let outcome = await attempt()
    await until(async () => (outcome = await attempt()) !== 'directory')
    expect(outcome).toMatchObject({
      code: 'SPAWN_FAILED',
      retryable: true,
      context: { stage: 'fork', errno: 'EAGAIN' },
    })
    await stop()
    expect(await attempt()).toBe('directory')
  })
})

function ownFiles(world: ContainerWorld): ContainerFiles {
  return openContainerFiles({ supervisor: world.connection, container: world.container }, { uid: 4242, gid: 4242 })
}

function raise(): never {
  throw new Error('nothing is there')
}

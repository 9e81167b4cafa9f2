import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { bash, fileWorlds, useFileWorld } from './file-world.ts'

const chunkBytes = 128 * 1024

describe.each(fileWorlds)('reading files %s', (_, open) => {
  const at = useFileWorld(open)

  it.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 7 * chunkBytes, 2_000_003])(
    'gives all %i bytes, and the version that they are of',
    async (size) => {
      const content = randomBytes(size)
      const path = `${at.folder}/file`
      writeFileSync(path, content)
      const { bytes, info } = await at.files.read(path, size)
      expect(Buffer.from(bytes).equals(content)).toBe(true)
      expect(info).toEqual(await at.files.stat(path))
    },
  )

  it('gives the part that is asked for', async () => {
    const content = randomBytes(3 * chunkBytes)
    const path = `${at.folder}/file`
    writeFileSync(path, content)
    for (const [offsetBytes, lengthBytes] of [
      [0, 10],
      [chunkBytes - 5, 10],
      [5, 2 * chunkBytes],
      [content.length - 3, 10],
      [content.length, 10],
      [2 ** 40, 1],
      [7, 0],
    ] as const) {
      const { bytes } = await at.files.read(path, content.length, { offsetBytes, lengthBytes })
      expect(Buffer.from(bytes).equals(content.subarray(offsetBytes, offsetBytes + lengthBytes))).toBe(true)
    }
  })

  it('refuses more than the caller allows, to the byte', async () => {
    const path = `${at.folder}/file`
    writeFileSync(path, randomBytes(chunkBytes + 1))
    expect((await at.files.read(path, chunkBytes + 1)).bytes).toHaveLength(chunkBytes + 1)
    await expect(at.files.read(path, chunkBytes)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      context: { maxBytes: chunkBytes, path },
    })
    expect((await at.files.read(path, chunkBytes, { lengthBytes: chunkBytes })).bytes).toHaveLength(chunkBytes)
  })

  it('reads what the kernel makes, whose size is not known', async () => {
    const { bytes, info } = await at.files.read('/proc/self/status', 100_000)
    expect(info.sizeBytes).toBe(0)
    expect(Buffer.from(bytes).toString()).toContain('Uid:\t4242')
  })

  it.each(['pipe', 'directory', 'socket', 'link-to-pipe'])('refuses a %s, and touches it not', async (name) => {
    const server = createServer().listen(`${at.folder}/socket`)
    await once(server, 'listening')
    await bash(at.world, at.folder, 'mkfifo pipe; mkdir directory; ln -s pipe link-to-pipe')
    await expect(at.files.read(`${at.folder}/${name}`, 1)).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' })
    await expect(at.files.open(`${at.folder}/${name}`)).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' })
    server.close()
  })

  it.each(['/dev/zero', '/dev/tty', '/dev/stdin'])('refuses %s', async (path) => {
    await expect(at.files.read(path, 1)).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' })
  })

  it('says what is not there, and what may not be read', async () => {
    await bash(at.world, at.folder, 'echo secret > closed; chmod 200 closed')
    await expect(at.files.read(`${at.folder}/none`, 1)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await expect(at.files.read(`${at.folder}/closed`, 1)).rejects.toMatchObject({
      code: 'FILE_PERMISSION_DENIED',
      message: `cannot read ${at.folder}/closed: EACCES`,
    })
    await expect(at.files.read('/etc/shadow', 1)).rejects.toMatchObject({ code: 'FILE_PERMISSION_DENIED' })
  })

  it('keeps to the file that was opened', async () => {
    await bash(at.world, at.folder, `head -c ${3 * chunkBytes} /dev/zero | tr '\\0' a > file`)
    const { chunks, info } = await at.files.open(`${at.folder}/file`)
    await bash(at.world, at.folder, 'echo other > other; mv other file')
    let bytes = 0
    for await (const chunk of chunks) bytes += chunk.length
    expect(bytes).toBe(info.sizeBytes)
  })

  it('answers others while a huge file is read', async () => {
    await bash(at.world, at.folder, 'truncate -s 64M huge; echo small > small')
    const { chunks } = await at.files.open(`${at.folder}/huge`)
    let hasEnded = false
    const reading = (async () => {
      for await (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0)
      hasEnded = true
    })()
    for (let i = 0; i < 10; i++) await at.files.read(`${at.folder}/small`, 10)
    expect(hasEnded).toBe(false)
    await reading
  })

  it('closes what is not read to its end: more are opened than there are handles', async () => {
    await bash(at.world, at.folder, 'truncate -s 1M file')
    for (let i = 0; i < 300; i++) {
      const { chunks } = await at.files.open(`${at.folder}/file`)
      for await (const chunk of chunks) {
        expect(chunk).toHaveLength(chunkBytes)
        break
      }
      const { chunks: untouched } = await at.files.open(`${at.folder}/file`)
      await untouched[Symbol.asyncIterator]().return?.()
    }
  })

  it('has whoever finds no free handle wait for one', async () => {
    await bash(at.world, at.folder, 'echo content > file')
    const opened = await Promise.all(Array.from({ length: 256 }, () => at.files.open(`${at.folder}/file`)))
    const waiting = at.files.read(`${at.folder}/file`, 100)
    const abortion = new AbortController()
    const impatient = at.files.read(`${at.folder}/file`, 100, { signal: abortion.signal })
    abortion.abort()
    await expect(impatient).rejects.toMatchObject({ code: 'FILE_ABORTED' })
    for (const { chunks } of opened) await chunks[Symbol.asyncIterator]().return?.()
    expect((await waiting).bytes).toHaveLength(8)
  })

  it('is aborted before and while it reads', async () => {
    await bash(at.world, at.folder, 'truncate -s 8M file')
    const path = `${at.folder}/file`
    await expect(at.files.read(path, 1, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'FILE_ABORTED',
    })
    const abortion = new AbortController()
    const { chunks } = await at.files.open(path, { signal: abortion.signal })
    const reading = async () => {
      for await (const chunk of chunks) if (chunk.length > 0) abortion.abort(new Error('enough'))
    }
    await expect(reading()).rejects.toMatchObject({ code: 'FILE_ABORTED', cause: { message: 'enough' } })
  })
})

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../supervisor/supervisor-process.ts'
import { background, bash, openContainerWorld, text, useFileWorld } from './file-world.ts'

const mebibyte = 1024 ** 2

describe('files of a session and of its host', () => {
  const at = useFileWorld(() => openContainerWorld())
  let secrets: string
  beforeAll(() => {
    secrets = mkdtempSync(join(tmpdir(), 'host-secrets-'))
    writeFileSync(join(secrets, 'secret'), 'of the host')
  })
  afterAll(() => rmSync(secrets, { recursive: true, force: true }))

  it('reads through a link what a command would read: the container’s own file', async () => {
    await bash(at.world, at.folder, 'ln -s /etc/hostname leak')
    const { bytes } = await at.files.read(`${at.folder}/leak`, 1000)
    expect(Buffer.from(bytes).toString()).toBe('sandbox\n')
    expect(Buffer.from(bytes).toString()).not.toContain(hostname())
    expect((await at.files.resolve(`${at.folder}/leak`)).path).toBe('/etc/hostname')
  })

  it('finds nothing behind a link to what only the host has', async () => {
    await bash(at.world, at.folder, `ln -s ${secrets}/secret leak; ln -s ${secrets} folder`)
    await expect(at.files.read(`${at.folder}/leak`, 100)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await expect(at.files.write(`${at.folder}/folder/new`, text('x'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    expect(await at.files.list(at.folder, 10)).toMatchObject([
      { name: 'folder', target: { path: secrets, info: undefined } },
      { name: 'leak', target: { path: `${secrets}/secret`, info: undefined } },
    ])
  })

  it('reads and writes nothing outside while a directory and a link change places', async () => {
    await bash(at.world, at.folder, `mkdir real; echo inside > real/secret; ln -s ${secrets} link`)
    const swap = 'while :; do mv -T real d; mv -T d real; mv -T link d; mv -T d link; done'
    const stop = background(at.world, at.folder, swap)
    const seen = new Set<string>()
    // Each outcome at least once, so that both sides of the exchange were met.
    for (let i = 0; i < 400 || seen.size < 3; i++) {
      expect(i).toBeLessThan(20_000)
      const read = at.files.read(`${at.folder}/d/secret`, 100).then(
        ({ bytes }) => Buffer.from(bytes).toString(),
        (error: { code: string }) => error.code,
      )
      const write = at.files.write(`${at.folder}/d/${i}`, text(`${i}`)).then(
        () => 'written',
        (error: { code: string }) => error.code,
      )
      seen.add(await read)
      seen.add(await write)
    }
    await stop()
    expect([...seen].toSorted()).toEqual(['FILE_NOT_FOUND', 'inside\n', 'written'])
    expect(readdirSync(secrets)).toEqual(['secret'])
    expect(readFileSync(join(secrets, 'secret'), 'utf8')).toBe('of the host')
  })

  it('writes into the directory that was there when the write began', async () => {
    await bash(at.world, at.folder, 'mkdir one two; ln -sT one d')
    async function* content() {
      yield text('content')
      await at.files.stat('/') // answered after the draft was made
      await bash(at.world, at.folder, 'ln -sfT two d')
    }
    // The link is the parent and not the last name: it leads somewhere once, when the draft is made.
    await at.files.write(`${at.folder}/d/file`, content())
    expect(await bash(at.world, at.folder, 'ls one two')).toBe('one:\nfile\n\ntwo:\n')
  })

  it('follows in a shared directory no link of another user', async () => {
    const plant = { uid: 4343, gid: 4343, workdir: '/tmp' }
    await run(at.world, `ln -s ${at.folder}/file /tmp/planted`, plant)
    await at.files.write(`${at.folder}/file`, text('mine'))
    await expect(at.files.resolve('/tmp/planted')).rejects.toMatchObject({ code: 'FILE_PERMISSION_DENIED' })
    await run(at.world, 'rm /tmp/planted', plant)
  })

  it('gives a command that starts a server nothing that it has not', async () => {
    const program = '/run/bash-docker/bin/supervisor'
    const request = `import struct, subprocess, sys
path = b'/etc/shadow'
ask = struct.pack('<IIII', 4 + len(path), 1, 3, 0) + path + struct.pack('<IIIIIQ', 16, 2, 4, 0, 100, 0)
done = subprocess.run(['${program}', '--files'], input=ask, capture_output=True)
print(done.returncode, list(struct.unpack('<IIII', done.stdout[:16])), list(struct.unpack('<IIIII', done.stdout[16:36])))`
    const output = await bash(
      at.world,
      at.folder,
      `python3 - <<'EOF'\n${request}\nEOF\ngrep -E 'Cap(Eff|Prm)' /proc/self/status`,
    )
    expect(output).toBe('0 [4, 0, 0, 1] [8, 1, 2, 13, 0]\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n')
  })

  it('keeps other commands of its user away from its streams and its memory', async () => {
    await at.files.stat('/')
    const attempts = `
      for p in /proc/[0-9]*; do
        if tr '\\0' ' ' < $p/cmdline 2> /dev/null | grep -q -- ' --files $'; then
          echo found
          (echo x > $p/fd/1) 2> /dev/null && echo WROTE
          (cat $p/environ) 2> /dev/null && echo READ
          (head -c 1 $p/mem) 2> /dev/null && echo READ
          (ls $p/fd) 2> /dev/null && echo LISTED
          python3 -c "import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(16, \${p#/proc/}, 0, 0))" && echo TRACED
        fi
      done; true`
    expect(await bash(at.world, at.folder, attempts)).toBe('found\n')
  })
})

describe('files where there is little room', () => {
  const at = useFileWorld(() => openContainerWorld())

  it('leaves the old file whole and nothing else when the disk is full', async () => {
    await bash(at.world, '/tmp', 'mkdir room; cd room; head -c 10M /dev/zero > file; sha256sum file > sum')
    const full = { code: 'FILE_IO_FAILED', context: { errno: 'ENOSPC', path: '/tmp/room/file' } }
    await expect(at.files.write('/tmp/room/file', Buffer.alloc(10 * mebibyte, 1))).rejects.toMatchObject(full)
    expect(await bash(at.world, '/tmp/room', 'sha256sum -c sum; ls -A')).toBe('file: OK\nfile\nsum\n')
    // What it took is free again.
    await at.files.write('/tmp/room/other', Buffer.alloc(5 * mebibyte))
    await bash(at.world, '/tmp', 'rm -r room')
  })

  it('holds little of a huge file at a time, in the container and here', async () => {
    await bash(at.world, at.folder, 'truncate -s 1G huge; printf end >> huge')
    const { chunks, info } = await at.files.open(`${at.folder}/huge`)
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let most = 0
    let bytes = 0
    let last = ''
    for await (const chunk of chunks) {
      bytes += chunk.length
      last = Buffer.from(chunk.subarray(-3)).toString()
      most = Math.max(most, process.memoryUsage().rss - before)
    }
    expect([bytes, last]).toEqual([info.sizeBytes, 'end'])
    expect(most).toBeLessThan(256 * mebibyte)
    const resident = await bash(
      at.world,
      at.folder,
      `for p in /proc/[0-9]*; do
        if tr '\\0' ' ' < $p/cmdline 2> /dev/null | grep -q -- ' --files $'; then grep VmHWM $p/status; fi
      done`,
    )
    expect(Number(/(\d+) kB/.exec(resident)?.[1])).toBeLessThan(4096)
  })
})

describe('files of a read-only workspace', () => {
  const at = useFileWorld(() => openContainerWorld({ readOnly: true }))

  it('are read and not written', async () => {
    writeFileSync(join(at.folder, 'file'), 'content')
    expect((await at.files.read(`${at.folder}/file`, 100)).bytes).toHaveLength(7)
    const refused = { code: 'FILE_PERMISSION_DENIED', context: { errno: 'EROFS' } }
    await expect(at.files.write(`${at.folder}/file`, text('x'))).rejects.toMatchObject(refused)
    await expect(at.files.write(`${at.folder}/new`, text('x'))).rejects.toMatchObject(refused)
    await expect(at.files.makeDirectory(`${at.folder}/new`)).rejects.toMatchObject(refused)
    await expect(at.files.remove(`${at.folder}/file`)).rejects.toMatchObject(refused)
    await expect(at.files.rename(`${at.folder}/file`, `${at.folder}/new`)).rejects.toMatchObject(refused)
    expect(readdirSync(at.folder)).toEqual(['file'])
  })
})

import { describe, expect, it } from 'vitest'
import { bash, fileWorlds, text, useFileWorld } from './file-world.ts'

describe.each(fileWorlds)('listing a directory %s', (_, open) => {
  const at = useFileWorld(open)

  it('gives entries in the order of their bytes, with what is known of each', async () => {
    await bash(
      at.world,
      at.folder,
      'printf 123 > b; mkdir a; ln -s b link; ln -s none dangling; ln -s loop loop; printf x > Z',
    )
    const entries = await at.files.list(at.folder, 100)
    expect(entries.map(({ name, info }) => [name, info.kind])).toEqual([
      ['Z', 'file'],
      ['a', 'directory'],
      ['b', 'file'],
      ['dangling', 'symlink'],
      ['link', 'symlink'],
      ['loop', 'symlink'],
    ])
    const of = (wanted: string) => entries.find(({ name }) => name === wanted)
    expect(of('b')).toEqual({ name: 'b', info: await at.files.stat(`${at.folder}/b`) })
    expect(of('link')?.target).toEqual({ path: `${at.folder}/b`, info: of('b')?.info })
    expect(of('dangling')?.target).toEqual({ path: `${at.folder}/none`, info: undefined })
    expect(of('loop')).not.toHaveProperty('target')
  })

  it('lists an empty directory', async () => {
    expect(await at.files.list(at.folder, 0)).toEqual([])
  })

  it('lists ten thousand entries, and refuses one more than the caller allows', async () => {
    await bash(at.world, at.folder, 'seq -f %05g 0 9999 | xargs touch')
    const entries = await at.files.list(at.folder, 10_000)
    expect(entries.map(({ name }) => name)).toEqual(
      Array.from({ length: 10_000 }, (_value, index) => String(index).padStart(5, '0')),
    )
    await expect(at.files.list(at.folder, 9999)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      context: { maxEntries: 9999 },
    })
  })

  it('is aborted in the middle', async () => {
    await bash(at.world, at.folder, 'seq 1 5000 | xargs touch')
    const abortion = new AbortController()
    const listing = at.files.list(at.folder, 10_000, { signal: abortion.signal })
    abortion.abort()
    await expect(listing).rejects.toMatchObject({ code: 'FILE_ABORTED' })
    expect(await at.files.list(at.folder, 10_000)).toHaveLength(5000)
  })

  it.each(['file', 'pipe', 'file/below'])('refuses %s, which is no directory', async (name) => {
    await bash(at.world, at.folder, ': > file; mkfifo pipe')
    await expect(at.files.list(`${at.folder}/${name}`, 1)).rejects.toMatchObject({ code: 'FILE_NOT_DIRECTORY' })
    await expect(at.files.list(`${at.folder}/none`, 1)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  it('keeps names as they are', async () => {
    const names = ['-rf', ' ', '\n', 'a\nb', '\\', '"', "'", 'ü', '🙂', '\u{feff}bom', 'x'.repeat(255)]
    for (const name of names) await at.files.write(`${at.folder}/${name}`, text(name))
    const listed = await at.files.list(at.folder, 100)
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    for (const name of names) {
      const { bytes } = await at.files.read(`${at.folder}/${name}`, 1000)
      expect(Buffer.from(bytes).toString()).toBe(name)
    }
  })

  it('gives the bytes of a name that is no UTF-8, and takes them', async () => {
    const path = Buffer.concat([text(`${at.folder}/bad`), Buffer.from([0xff, 0xfe])])
    await at.files.write(path, text('content'))
    const [entry] = await at.files.list(at.folder, 10)
    expect(entry).toMatchObject({ name: 'bad\ufffd\ufffd', nameBytes: Uint8Array.from([98, 97, 100, 0xff, 0xfe]) })
    expect(await at.files.stat(`${at.folder}/${entry?.name}`)).toBeUndefined()
    expect(await at.files.read(path, 100)).toMatchObject({ info: { sizeBytes: 7 } })
    expect(await at.files.resolve(path)).toMatchObject({ pathBytes: Uint8Array.from(path), info: { kind: 'file' } })
    await at.files.remove(path)
    expect(await at.files.list(at.folder, 10)).toEqual([])
  })
})

import { execFileSync, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, AnswerDecoder } from '../../src/files/answer-decoder.ts'
import { answerKind } from '../../src/files/files-protocol.ts'
import { encodeRequest, type FileRequest, requests } from '../../src/files/request-encoder.ts'
import { buildSupervisor, sourceDirectory } from '../supervisor/supervisor-process.ts'

const nobody = 4242

const encode = (id: number, request: FileRequest): Buffer => Buffer.concat(encodeRequest(id, request))

const malformed = (operation: number, words: readonly number[], tail = ''): Buffer =>
  encode(1, { operation, words, tail: Buffer.from(tail) })

describe.each(['amd64', 'sanitized'] as const)('the file server (%s build)', (target) => {
  let build: ReturnType<typeof buildSupervisor>
  beforeAll(() => {
    build = buildSupervisor(target)
  })
  afterAll(() => build.remove())

  /** Sends bytes and then the end, in pieces where cuts are given. */
  async function converse(...pieces: readonly Buffer[]) {
    // It does what it is asked: not as root.
    const child = spawn(build.path, ['--files'], { stdio: 'pipe', uid: nobody, gid: nobody, env: {} })
    const decoder = new AnswerDecoder()
    const answers: Answer[] = []
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdout.on('data', (chunk: Buffer) => decoder.push(chunk, (answer) => answers.push(answer)))
    child.stdin.on('error', () => undefined)
    for (const piece of pieces) child.stdin.write(piece)
    child.stdin.end()
    const exitCode = await new Promise((resolve) => child.on('close', resolve))
    return { exitCode, stderr, answers: answers.map(({ id, kind }) => [id, kind]) }
  }

  const greeting = [0, answerKind.hello]

  it('answers everything in order, and ends with its input', async () => {
    const all = [requests.stat('/', true), requests.resolve('/etc'), requests.stat('/none', true), requests.close(3)]
    expect(await converse(Buffer.concat(all.map((request, index) => encode(index + 1, request))))).toEqual({
      exitCode: 0,
      stderr: '',
      answers: [greeting, [1, answerKind.done], [2, answerKind.done], [3, answerKind.failed], [4, answerKind.done]],
    })
  })

  it('waits for the rest of a request, however it is split', async () => {
    const bytes = encode(5, requests.stat('/etc', true))
    const pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1))
    expect(await converse(...pieces)).toMatchObject({ exitCode: 0, answers: [greeting, [5, answerKind.done]] })
    expect(await converse(bytes.subarray(0, -1))).toMatchObject({ exitCode: 0, answers: [greeting] })
  })

  it.each([
    ['no operation', malformed(99, [])],
    ['a handle that is none', malformed(5, [256])],
    ['a relative path', malformed(1, [], 'etc')],
    ['a NUL in a path', malformed(1, [], '/etc\0')],
    ['a flag that is none', malformed(2, [2], '/etc')],
    ['nothing to read', malformed(4, [0, 0, 0, 0])],
    [
      'a handle that is open',
      Buffer.concat([encode(1, requests.openDirectory(0, '/')), encode(2, requests.open(0, '/'))]),
    ],
    ['noise', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ])('ends with code 3 for %s', async (_, bytes) => {
    const { exitCode, stderr, answers } = await converse(encode(77, requests.stat('/', true)), bytes)
    expect({ exitCode, stderr, first: answers.slice(0, 2) }).toEqual({
      exitCode: 3,
      stderr: '',
      first: [greeting, [77, answerKind.done]],
    })
  })

  it('fails what follows an opening that failed, and takes the handle again', async () => {
    const asked = [
      requests.open(0, '/none'),
      requests.read(0, 0, 10),
      requests.close(0),
      requests.write(1, Buffer.from('x')),
      requests.commit(1, undefined, 0o644),
      requests.openDirectory(0, '/'),
      requests.write(0, Buffer.from('x')),
      requests.close(0),
    ]
    const { failed, done } = answerKind
    const kinds = [failed, failed, done, failed, failed, done, failed, done]
    const { answers } = await converse(...asked.map((request, index) => encode(index + 1, request)))
    expect(answers.slice(1)).toEqual(kinds.map((kind, index) => [index + 1, kind]))
  })

  it('ends in one of two ways, whatever it is sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 14 }), async (bytes, operation) => {
        const request = Buffer.concat([Buffer.alloc(12), bytes])
        request.writeUInt32LE(bytes.length, 0)
        request.writeUInt32LE(operation, 8)
        const { exitCode, stderr } = await converse(request)
        expect(stderr).toBe('')
        expect([0, 3]).toContain(exitCode)
      }),
      { numRuns: 50 },
    )
  })
})

it('parses requests as its own unit tests say', () => {
  const build = buildSupervisor('files-unit')
  expect(execFileSync(build.path, { encoding: 'utf8' })).toBe('ok\n')
  build.remove()
})

it('parses requests that fuzzing begins with, whole and cut off anywhere', () => {
  const build = buildSupervisor('files-corpus')
  const corpus = join(sourceDirectory, 'test/files-corpus')
  const files = readdirSync(corpus).map((name) => join(corpus, name))
  expect(execFileSync(build.path, files, { encoding: 'utf8' })).toBe('ok\n')
  build.remove()
})

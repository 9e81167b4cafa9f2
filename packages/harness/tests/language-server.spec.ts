import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Readable, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node.js'
import { testWorld } from './support/harness.ts'
import { collectedText } from './support/processes.ts'

const serverScript = createRequire(import.meta.url).resolve('dockerfile-language-server-nodejs/bin/docker-langserver')
const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url))

describe('a language server in the container', () => {
  it('answers over its pipes and ends with its input', async () => {
    // The image has no Node; the server and its Node are shown to it as they are here.
    const paths = [{ path: dirname(process.execPath) }, { path: installed }]
    await using world = await testWorld({ paths })
    const { subprocess, fs } = world.ctx
    const file = await fs.resolve(join(world.workspace, 'Dockerfile'))
    await fs.writeText(file, 'FRO debian\n')
    const handle = subprocess.spawn({
      argv: [process.execPath, serverScript, '--stdio'],
      cwd: world.workspace,
      stdio: { stdin: 'pipe', stdout: 'pipe', stderr: { maxBytes: 65_536 } },
      graceMs: 1000,
    })
    const reader = new StreamMessageReader(handle.stdout as Readable)
    const connection = createMessageConnection(reader, new StreamMessageWriter(handle.stdin as Writable))
    const published = new Promise<{ uri: string; diagnostics: { message: string }[] }>((resolve) => {
      connection.onNotification('textDocument/publishDiagnostics', resolve)
    })
    connection.listen()
    const { capabilities } = await connection.sendRequest<{ capabilities: object }>('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
    })
    expect(capabilities).toHaveProperty('completionProvider')
    const uri = fs.fileUrl(file)
    const text = await fs.readText(file)
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'dockerfile', version: 1, text },
    })
    const { uri: about, diagnostics } = await published
    expect(about).toBe(uri)
    expect(diagnostics.map(({ message }) => message)).toContainEqual(expect.stringContaining('FRO'))
    await connection.sendRequest('shutdown')
    await connection.sendNotification('exit')
    expect(await handle.done, collectedText(handle, 'stderr')).toEqual({ exitCode: 0, signal: null })
    expect(await handle.waitForExit()).toBe(true)
    connection.dispose()
  })
})

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { mainPath, startCli } from '../../support/cli.ts'
import type { ServerFacts } from './client-protocol.ts'
import { McpClient } from './mcp-client.ts'

/** A client whose server is a child of its own, over standard input and output. */
export async function stdioClient(cwd: string, ...options: string[]): Promise<McpClient & { facts: ServerFacts }> {
  const env = process.env['DOCKER_HOST'] === undefined ? {} : { DOCKER_HOST: process.env['DOCKER_HOST'] }
  const args = ['--conditions=bash-docker-source', mainPath, 'mcp', ...options]
  return await McpClient.connect({ command: process.execPath, args, cwd, env })
}

/** A server over HTTP. */
export interface HttpServer {
  readonly child: ChildProcess
  readonly url: string
  readonly port: number
  readonly token: string
  /** Everything that it printed on standard error by now, by line. */
  readonly lines: readonly string[]
  connect(): Promise<McpClient & { facts: ServerFacts }>
}

/** Starts a server on a free port; it is ended with the test, or when `atEnd` says. */
export async function httpServer(
  cwd: string,
  options: readonly string[] = [],
  {
    env = {},
    token = '',
    atEnd = onTestFinished,
  }: { env?: Record<string, string>; token?: string; atEnd?: (end: () => Promise<void>) => void } = {},
): Promise<HttpServer> {
  const child = startCli(['mcp', '--http', '--port=0', ...options], { cwd, env })
  atEnd(() => endServer(child))
  const lines: string[] = []
  const known = Promise.withResolvers<void>()
  const expected = token === '' ? 2 : 1
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lines.push(line)
    if (lines.length === expected) known.resolve()
  })
  child.once('exit', () => known.reject(new Error(`the server ended: ${lines.join('\n')}`)))
  await known.promise
  const url = lines[0]!.replace(/^.* at /, '')
  const shown = token === '' ? lines[1]!.replace(/^.* is /, '') : token
  const connect = () => McpClient.connect({ url, token: shown })
  return { child, url, port: Number(new URL(url).port), token: shown, lines, connect }
}

async function endServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

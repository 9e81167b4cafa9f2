import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import { isRunning } from '../../support/is-running.ts'
import { eventually } from '../../support/poll.ts'
import type { ClientError, ClientEvent, ClientOrder, ClientTarget, ServerFacts } from './client-protocol.ts'
import { jsonLines } from './json-lines.ts'

const programPath = fileURLToPath(new URL('client-program.ts', import.meta.url))

export interface ProgressReport {
  progress: number
  message: string
}

/** A call that is under way. */
export interface PendingCall {
  readonly result: Promise<CallToolResult>
  readonly progress: readonly ProgressReport[]
  cancel(): void
}

type Unnumbered<Order> = Order extends unknown ? Omit<Order, 'id'> : never

/** A client of the official SDK, in a process of its own. */
export class McpClient {
  readonly process: ChildProcess
  /** Methods of the notifications that came, progress aside. */
  readonly notifications: string[] = []
  private readonly ready = Promise.withResolvers<ServerFacts>()
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>()
  private readonly progress = new Map<number, ProgressReport[]>()
  private orderCount = 0
  /** Of a server that the client started. */
  private serverPid: number | undefined

  private constructor(target: ClientTarget) {
    const args = ['--conditions=bash-docker-source', programPath, JSON.stringify(target)]
    this.process = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.process.stdin?.on('error', () => undefined) // it was killed
    this.process.once('exit', () => this.gone())
    this.ready.promise.catch(() => undefined)
    void this.follow()
  }

  static async connect(target: ClientTarget): Promise<McpClient & { facts: ServerFacts }> {
    const client = new McpClient(target)
    onTestFinished(async () => {
      await client.kill()
      const { serverPid } = client
      if (serverPid !== undefined) await eventually('the server has ended', () => !isRunning(serverPid))
    })
    const facts = await client.ready.promise
    client.serverPid = facts.serverPid
    return Object.assign(client, { facts })
  }

  call(name: string, args: Record<string, unknown>, { wantsProgress = false } = {}): PendingCall {
    const { id, answer } = this.order({ do: 'call', name, args, wantsProgress })
    const progress: ProgressReport[] = []
    this.progress.set(id, progress)
    const cancel = (): void => void this.order({ do: 'cancel', call: id })
    return { result: answer as Promise<CallToolResult>, progress, cancel }
  }

  /** Runs a command in the foreground to its end. */
  bash(command: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.call('bash', { command, description: 'Run a command of a test', ...args }).result
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.order({ do: 'request', method, params }).answer as Promise<Record<string, unknown>>
  }

  /** Takes its leave as the protocol says. */
  async leave(): Promise<void> {
    await this.order({ do: 'leave' }).answer
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const exited = once(this.process, 'exit')
    this.process.kill('SIGKILL')
    await exited
  }

  private order(order: Unnumbered<ClientOrder>): { id: number; answer: Promise<unknown> } {
    this.orderCount += 1
    const id = this.orderCount
    const answer = Promise.withResolvers<unknown>()
    answer.promise.catch(() => undefined) // whoever asked may not care
    this.waiting.set(id, answer)
    this.process.stdin?.write(`${JSON.stringify({ id, ...order })}\n`)
    return { id, answer: answer.promise }
  }

  private async follow(): Promise<void> {
    for await (const event of jsonLines(this.process.stdout!)) this.see(event as ClientEvent)
  }

  private see(event: ClientEvent): void {
    if ('ready' in event) return this.ready.resolve(event.ready)
    if ('notified' in event) return void this.notifications.push(event.notified)
    if ('progress' in event) return void this.progress.get(event.of)?.push(event.progress as ProgressReport)
    if ('error' in event) return this.waiting.get(event.of)?.reject(new McpClientError(event.error))
    this.waiting.get(event.of)?.resolve(event.result)
  }

  private gone(): void {
    const error = new Error('the client of the test has ended')
    this.ready.reject(error)
    for (const answer of this.waiting.values()) answer.reject(error)
  }
}

/** What the client's SDK threw. */
class McpClientError extends Error {
  readonly code: number | undefined
  readonly data: unknown

  constructor({ message, code, data }: ClientError) {
    super(message)
    this.code = code
    this.data = data
  }
}

import { type BashExecutor, type BashRunResult, OwnerToken } from 'dsh-bash'
import type { ProcessHost } from 'dsh-bash-process'
import type { SessionContainer } from './session-container.ts'
import type { Subject, SubjectName } from './subject.ts'

type Executor = BashExecutor & AsyncDisposable

/** How a subject is made; what is absent, the subject cannot do. */
export interface ExecutorRecipe {
  create(): Promise<Executor>
  /** The executor's host, for output that is wanted whole. */
  openHost?(): ProcessHost
  /** An executor that keeps a session started. */
  createWithSpare?(): Promise<Executor>
  /** The container of an owner's session, where a supervisor is its process 1. */
  findSession?(owner: string): Promise<SessionContainer>
}

/** Any executor, through the seam. */
export class ExecutorSubject implements Subject {
  readonly name: SubjectName
  readonly stream?: (command: string) => Promise<number>
  readonly startSpareSession?: () => Promise<number>
  readonly supervised?: SessionContainer
  private readonly bash: Executor
  private readonly recipe: ExecutorRecipe
  private readonly host: ProcessHost | undefined

  private constructor(
    name: SubjectName,
    bash: Executor,
    recipe: ExecutorRecipe,
    supervised: SessionContainer | undefined,
  ) {
    this.name = name
    this.bash = bash
    this.recipe = recipe
    this.host = recipe.openHost?.()
    const { host } = this
    const { createWithSpare } = recipe
    if (host !== undefined) this.stream = (command) => streamOn(host, command)
    if (supervised !== undefined) this.supervised = supervised
    if (createWithSpare !== undefined) this.startSpareSession = () => startSpare(createWithSpare)
  }

  static async create(name: SubjectName, recipe: ExecutorRecipe): Promise<Subject> {
    const bash = await recipe.create()
    await runOn(bash, 'true')
    return new ExecutorSubject(name, bash, recipe, await recipe.findSession?.(owner))
  }

  async run(command: string, stdin?: string): Promise<number> {
    const { stdout } = await runOn(this.bash, command, stdin)
    return stdout.totalBytes ?? Buffer.byteLength(stdout.text)
  }

  async timeOut(command: string, timeoutMs: number): Promise<number> {
    const startMs = performance.now()
    const { timedOut } = await this.bash.run(this.bash.resolve({ command, timeoutMs, owner }))
    if (!timedOut) throw new Error(`${command}: ended by itself`)
    return performance.now() - startMs - timeoutMs
  }

  async startFirstSession(): Promise<number> {
    await using bash = await this.recipe.create()
    return await timeTrue(bash, 'first')
  }

  async startSession(): Promise<number> {
    await using bash = await this.recipe.create()
    await timeTrue(bash, 'first')
    return await timeTrue(bash, 'second')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bash[Symbol.asyncDispose]()
    await this.host?.dispose()
  }
}

const owner = OwnerToken('benchmark')

async function runOn(bash: BashExecutor, command: string, stdin?: string): Promise<BashRunResult> {
  const spec = bash.resolve({ command, owner, ...(stdin === undefined ? {} : { stdin }) })
  const result = await bash.run(spec)
  if (result.exitCode !== 0) throw new Error(`${command}: exit code ${result.exitCode}, signal ${result.signal}`)
  return result
}

async function timeTrue(bash: BashExecutor, ownerName: string): Promise<number> {
  const startMs = performance.now()
  await bash.run(bash.resolve({ command: 'true', owner: OwnerToken(ownerName) }))
  return performance.now() - startMs
}

/** The first owner's session is not the spare: it has to be there before the second one comes. */
async function startSpare(createWithSpare: () => Promise<Executor>): Promise<number> {
  await using bash = await createWithSpare()
  await timeTrue(bash, 'first')
  await timeTrue(bash, 'second')
  // The third takes the spare that began to start when the second took its own.
  await new Promise((resolve) => setTimeout(resolve, spareStartMs))
  return await timeTrue(bash, 'third')
}

/** Long enough for a session to start: the spare's start is not what is measured. */
const spareStartMs = 2000

async function streamOn(host: ProcessHost, command: string): Promise<number> {
  let byteCount = 0
  const count = {
    write: (chunk: Uint8Array) => {
      byteCount += chunk.length
    },
    skip: () => {
      throw new Error('bytes were left out of output that is wanted whole')
    },
    spilled: () => undefined,
  }
  const capture = { maxOutputBytes: 64_000, maxSpillBytes: 1, isWhole: true }
  const spec = { command, workdir: process.cwd(), env: undefined, stdin: undefined, owner, capture }
  const hosted = host.spawn(spec, { stdout: count, stderr: count }, new AbortController().signal)
  await hosted.exited
  await hosted.drained
  hosted.release()
  return byteCount
}

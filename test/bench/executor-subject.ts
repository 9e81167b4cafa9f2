import { type BashExecutor, OwnerToken } from 'dsh-bash'
import type { Subject, SubjectName } from './subject.ts'

/** Any executor, through the seam. */
export class ExecutorSubject implements Subject {
  readonly name: SubjectName
  private readonly bash: BashExecutor & AsyncDisposable
  private readonly create: () => Promise<BashExecutor & AsyncDisposable>

  private constructor(
    name: SubjectName,
    bash: BashExecutor & AsyncDisposable,
    create: () => Promise<BashExecutor & AsyncDisposable>,
  ) {
    this.name = name
    this.bash = bash
    this.create = create
  }

  static async create(name: SubjectName, create: () => Promise<BashExecutor & AsyncDisposable>): Promise<Subject> {
    return new ExecutorSubject(name, await create(), create)
  }

  run(command: string, stdin?: string): Promise<number> {
    return runOn(this.bash, command, stdin)
  }

  async startSession(): Promise<number> {
    const bash = await this.create()
    try {
      const startMs = performance.now()
      await runOn(bash, 'true')
      return performance.now() - startMs
    } finally {
      await bash[Symbol.asyncDispose]()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bash[Symbol.asyncDispose]()
  }
}

async function runOn(bash: BashExecutor, command: string, stdin?: string): Promise<number> {
  const owner = OwnerToken('benchmark')
  const spec = bash.resolve({ command, owner, ...(stdin === undefined ? {} : { stdin }) })
  const { exitCode, signal, stdout } = await bash.run(spec)
  if (exitCode !== 0) throw new Error(`${command}: exit code ${exitCode}, signal ${signal}`)
  return stdout.totalBytes ?? Buffer.byteLength(stdout.text)
}

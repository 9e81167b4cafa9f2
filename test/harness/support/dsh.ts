import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { packPackages } from '../../support/packed-packages.ts'
import { runProgram } from '../../support/run-program.ts'

const bundleName = 'dsh-sandbox-docker'

const scripts = new URL('../../../scripts/children/', import.meta.url)
const installScript = fileURLToPath(new URL('ensure-dsh.mjs', scripts))
const selfContainScript = fileURLToPath(new URL('self-contain.mjs', scripts))

/** What one run of `dsh` came to. */
interface DshOutcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface DshRun {
  readonly child: ChildProcess
  readonly outcome: Promise<DshOutcome>
}

export interface DshOptions {
  readonly cwd: string
  readonly modelUrl: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The `dsh` program with a home of its own, whose profile has our bundle. */
export class Dsh implements AsyncDisposable {
  readonly home: string
  private readonly program: string

  private constructor(program: string, home: string) {
    this.program = program
    this.home = home
  }

  /** Adds the packed bundle to a profile as a user does: `dsh plugin --profile headless add ./file.tgz`. */
  static async withBundle(): Promise<Dsh> {
    const program = await runProgram(process.execPath, [installScript])
    const root = await mkdtemp(join(tmpdir(), 'bash-docker-dsh-'))
    const dsh = new Dsh(program, join(root, 'home'))
    await packPackages(root)
    await runProgram(process.execPath, [selfContainScript, root, bundleName])
    const tarball = (await readdir(root)).find((file) => file.startsWith(bundleName)) ?? ''
    for (const profile of ['headless', 'web']) {
      await dsh.runPlain(['plugin', '--profile', profile, 'add', '--ignore-scripts', `./${tarball}`], root)
    }
    return dsh
  }

  /** What `dsh` prints without a task. */
  runPlain(args: readonly string[], cwd: string): Promise<string> {
    return runProgram(process.execPath, [this.program, ...args], { cwd, env: { DSH_HOME: this.home, HOME: this.home } })
  }

  manifest(): Promise<string> {
    return readFile(join(this.home, 'profiles/headless/package.json'), 'utf8')
  }

  /** Gives the headless profile a task. */
  start(task: string, { args = [], ...options }: DshOptions): DshRun {
    return this.startProfile('headless', { ...options, args: [...args, task] })
  }

  startProfile(profile: string, { cwd, modelUrl, args = [], env = {} }: DshOptions): DshRun {
    const child = spawn(process.execPath, [this.program, '--profile', profile, ...args], {
      cwd,
      env: {
        ...process.env,
        HOME: this.home,
        DSH_HOME: this.home,
        DSH_TELEMETRY_DISABLED: '1',
        DEEPSEEK_API_KEY: 'sk-scripted-0123456789abcdef',
        DEEPSEEK_BASE_URL: modelUrl,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const outcome = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
      ([[status], stdout, stderr]) => ({ status: status as number | null, stdout, stderr }),
    )
    return { child, outcome }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(join(this.home, '..'), { recursive: true, force: true })
  }
}

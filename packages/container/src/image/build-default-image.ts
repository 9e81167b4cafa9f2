import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { messageOf, SandboxError } from 'dsh-bash-error'
import { pack } from 'tar-stream'
import type { Engine } from '../engine/engine.ts'
import { baseDirectory, DEFAULT_IMAGE, defaultImageName } from './default-image.ts'
import { readProgress } from './json-lines.ts'
import type { AttemptTerms } from './shared-attempts.ts'

/** What a build that is given up has to clean up after itself. */
const graceMs = 10_000

/** How many of a build's last lines stand in its error. */
const lastLineCount = 8

/**
 * Builds the default image: from Debian packages where this host can, which asks no registry, else
 * by the engine from the Dockerfile, which needs one. Several processes may do it at once: they make
 * the same image, and the last one names it.
 *
 * @throws `IMAGE_BUILD_FAILED`, and the signal's reason
 */
export async function buildDefaultImage(engine: Engine, terms: AttemptTerms): Promise<void> {
  const lastLines: string[] = []
  const tell = (line: string): void => {
    if (line.trim() === '') return
    lastLines.push(line.trim())
    if (lastLines.length > lastLineCount) lastLines.shift()
    terms.onProgress({ step: 'build', reference: DEFAULT_IMAGE, line: line.trim() })
  }
  try {
    if (await canInstallPackages()) await buildFromPackages(engine, tell, terms.signal)
    else await buildByEngine(engine, tell, terms.signal)
  } catch (error) {
    if (terms.signal.aborted) throw terms.signal.reason
    const tail = lastLines.length === 0 ? '' : `; its last lines: ${lastLines.join(' | ')}`
    throw new SandboxError('IMAGE_BUILD_FAILED', `the default image could not be built: ${messageOf(error)}${tail}`, {
      context: { reference: DEFAULT_IMAGE, lastLines },
      cause: error,
    })
  }
}

/** Debian's own tools, and the right to use them. */
async function canInstallPackages(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  return access('/usr/bin/apt-get').then(
    () => true,
    () => false, // no Debian
  )
}

async function buildFromPackages(engine: Engine, tell: (line: string) => void, signal: AbortSignal): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bash-docker-image-'))
  try {
    const tar = join(directory, 'rootfs.tar')
    await runBuild(tar, tell, signal)
    // Another process may have been faster; a second image would only take its name away.
    if ((await engine.port.inspectImage(DEFAULT_IMAGE)) !== undefined) return
    const changes = ['CMD ["bash"]', 'LABEL bash-docker.base=true', 'ENV LANG=C.UTF-8', `ENV PATH=${searchPath}`]
    const progress = await engine.port.importImage(createReadStream(tar), { ...defaultImageName, changes }, { signal })
    await readProgress(progress, (line) => tell(line.status ?? ''), signal)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

async function runBuild(tar: string, tell: (line: string) => void, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  // A group of its own, so that an abort reaches whatever the build has started.
  const child = spawn(join(baseDirectory, 'build.sh'), [tar], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let killTimer: NodeJS.Timeout | undefined
  const stop = (): void => {
    signalGroup(child.pid, 'SIGTERM')
    killTimer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs)
  }
  signal.addEventListener('abort', stop, { once: true })
  createInterface({ input: child.stderr }).on('line', tell)
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (exitCode, killedBy) => {
        if (exitCode === 0) resolve()
        else reject(new Error(`build.sh ended with ${killedBy ?? `exit code ${exitCode}`}`))
      })
    })
  } finally {
    clearTimeout(killTimer)
    signal.removeEventListener('abort', stop)
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return // it was never started
  try {
    process.kill(-pid, signal)
  } catch {
    // ESRCH: it has just ended
  }
}

async function buildByEngine(engine: Engine, tell: (line: string) => void, signal: AbortSignal): Promise<void> {
  const context = pack()
  for (const name of await readdir(baseDirectory)) {
    context.entry({ name, mode: 0o755 }, await readFile(join(baseDirectory, name)))
  }
  context.finalize()
  const labels = { 'bash-docker.base': 'true' }
  const progress = await engine.port.buildImage(
    Readable.from(context),
    { reference: DEFAULT_IMAGE, labels },
    { signal },
  )
  await readProgress(progress, (line) => tell(line.stream ?? line.status ?? ''), signal)
}

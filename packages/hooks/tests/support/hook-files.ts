import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { HooksConfig } from '../../src/index.ts'

/** The owner of the project: the user of a model's commands in a container. */
const modelUser = { uid: 1000, gid: 1000 }

/** A user's folders, a project and a plugin, which hold what a test writes there and nothing else. */
export class HookFiles implements AsyncDisposable {
  readonly root: string
  readonly project: string
  readonly plugin: string

  private constructor(root: string) {
    this.root = root
    this.project = join(root, 'project')
    this.plugin = join(root, 'plugin')
  }

  static async create(): Promise<HookFiles> {
    const files = new HookFiles(await mkdtemp(join(await realpath(tmpdir()), 'hooks-spec-')))
    await chmod(files.root, 0o755)
    for (const path of [files.project, files.plugin]) await mkdir(path, { mode: 0o755 })
    await chown(files.project, modelUser.uid, modelUser.gid)
    return files
  }

  /** The configuration that reads these files alone. */
  config(more: HooksConfig = {}): HooksConfig {
    return {
      projectDirectory: this.project,
      trustProject: true,
      claudeCode: {
        directory: join(this.root, 'claude'),
        managedFile: join(this.root, 'managed.json'),
        plugins: [this.plugin],
      },
      codex: { directory: join(this.root, 'codex') },
      ...more,
    }
  }

  /** Writes a file below the root: text as it is, anything else as JSON. What begins with `#!` can be run. */
  async write(path: string, content: unknown): Promise<string> {
    const full = join(this.root, path)
    await mkdir(dirname(full), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(full, text)
    if (text.startsWith('#!')) await chmod(full, 0o755)
    return full
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true })
  }
}

/** The table of one event with one group. */
export function hookTable(event: string, commands: readonly object[], matcher?: string): object {
  const hooks = commands.map((command) => ({ type: 'command', ...command }))
  return { hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks }] } }
}

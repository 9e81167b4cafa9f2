import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { EngineWorld } from '../../src/engine/world.ts'

/** A home directory as the Docker client would leave it, and nothing else in the environment. */
export class FakeHome {
  readonly dir = mkdtempSync(join(tmpdir(), 'home-'))

  world(env: Record<string, string> = {}): EngineWorld {
    return { env, homeDir: this.dir }
  }

  path(...parts: string[]): string {
    return join(this.dir, ...parts)
  }

  async write(path: string, content: string | object): Promise<void> {
    const file = this.path(path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  }

  /** `docker context use` */
  useContext(name: string): Promise<void> {
    return this.write('.docker/config.json', { currentContext: name })
  }

  /** `docker context create` */
  async createContext(
    name: string,
    docker: { Host: string; SkipTLSVerify?: boolean },
    tls: Record<string, string> = {},
  ): Promise<void> {
    await this.write(metadataPath(name), { Name: name, Metadata: {}, Endpoints: { docker } })
    for (const [file, text] of Object.entries(tls)) {
      await this.write(`.docker/contexts/tls/${contextKey(name)}/docker/${file}`, text)
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true })
  }
}

/** Where the Docker client keeps what it knows of a context, below the home directory. */
export function metadataPath(name: string): string {
  return `.docker/contexts/meta/${contextKey(name)}/meta.json`
}

function contextKey(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}

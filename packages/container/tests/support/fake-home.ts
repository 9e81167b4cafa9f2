import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { EngineWorld } from '../../src/engine/world.ts'

/** A home directory of a user of the Docker client, and an environment. */
export class FakeHome implements Disposable {
  readonly homeDir = mkdtempSync(join(tmpdir(), 'fake-home-'))

  world(env: EngineWorld['env'] = {}): EngineWorld {
    return { env, homeDir: this.homeDir }
  }

  write(path: string, content: unknown): string {
    const whole = join(this.homeDir, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content))
    return whole
  }

  /** Adds a context as the Docker client stores it. */
  context(name: string, endpoint: Record<string, unknown>, tls: Record<string, string> = {}): void {
    const key = createHash('sha256').update(name).digest('hex')
    const metadata = { Name: name, Metadata: {}, Endpoints: { docker: endpoint } }
    this.write(`.docker/contexts/meta/${key}/meta.json`, metadata)
    for (const [file, content] of Object.entries(tls)) {
      this.write(`.docker/contexts/tls/${key}/docker/${file}.pem`, content)
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.homeDir, { recursive: true, force: true })
  }
}

import type { CapturedSink, HostedProcess, ProcessHost, ProcessSinks, ProcessSpec } from 'dsh-bash-process'
import { type CommandWatch, currentWatch } from './command-watch.ts'

/**
 * A host that lets the call that starts a command watch it, and that gives every command the variables
 * of whoever started the server.
 */
export class WatchedHost implements ProcessHost {
  private readonly host: ProcessHost
  private readonly env: Readonly<Record<string, string>> | undefined

  constructor(host: ProcessHost, env: Readonly<Record<string, string>> | undefined) {
    this.host = host
    this.env = env
  }

  spawn(spec: ProcessSpec, sinks: ProcessSinks, cancel: AbortSignal): HostedProcess {
    const given = this.env === undefined ? spec : { ...spec, env: { ...this.env, ...spec.env } }
    const watch = currentWatch()
    if (watch === undefined) return this.host.spawn(given, sinks, cancel)
    const watched = { stdout: watchedSink(sinks.stdout, watch), stderr: watchedSink(sinks.stderr, watch) }
    const hosted = this.host.spawn(given, watched, cancel)
    hosted.spawned.then(
      () => watch.began(),
      () => undefined, // its caller is told
    )
    return hosted
  }

  readSpill(path: string): AsyncIterable<Uint8Array> {
    return this.host.readSpill(path)
  }

  dispose(): Promise<void> {
    return this.host.dispose()
  }
}

function watchedSink(sink: CapturedSink, watch: CommandWatch): CapturedSink {
  return {
    write(chunk) {
      watch.saw(chunk)
      return sink.write(chunk)
    },
    skip(byteCount) {
      watch.skipped(byteCount)
      sink.skip(byteCount)
    },
    spilled: (path) => sink.spilled(path),
  }
}

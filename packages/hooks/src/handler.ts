import type { HookDialect, HookEventName } from './event.ts'

/** The file that a hook was configured in. */
export interface HookSource {
  readonly dialect: HookDialect
  readonly scope: 'managed' | 'user' | 'project' | 'local' | 'plugin'
  /** Absolute path on the host. */
  readonly path: string
  /** Of the plugin that the file belongs to. */
  readonly pluginRoot?: string
}

/** One configured hook command. */
export interface HookHandler {
  readonly source: HookSource
  readonly event: HookEventName
  /** As configured; undefined matches everything. */
  readonly matcher: string | undefined
  /** As configured: bash code, or a program when there are `args`. */
  readonly command: string
  /** Arguments of a program that no shell sees. */
  readonly args: readonly string[] | undefined
  /** Milliseconds; undefined takes the default. */
  readonly timeoutMs: number | undefined
  /** Nobody waits for it, and it decides nothing. */
  readonly isAsync: boolean
  /** A rule such as `Bash(git push *)` that narrows tool events further. */
  readonly rule: string | undefined
  /** Where it finds its event: on standard input, or as the last argument (`notify` of Codex). */
  readonly payload: 'stdin' | 'argument'
}

/** On whose behalf a tool is called. */
export interface ToolCaller {
  /** Names the session. It owns what the call starts, and may read and kill what it owns. */
  readonly sessionId: string
  /** Absolute directory of the session: the default working directory, and what a relative one starts from. */
  readonly cwd?: string
}

/** What surrounds one call of a tool: everything that does not come from the model. */
export interface ToolCall {
  /** Ends a foreground command when it aborts. A background task outlives the call that started it. */
  readonly signal?: AbortSignal
  /** Absent for a caller without an identity: it owns nothing, and no owned task is open to it. */
  readonly caller?: ToolCaller
}

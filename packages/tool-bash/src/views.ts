// What a user interface is told, in the vocabulary of the harness (`ToolCallView`,
// `ToolResultView`), spelled out so that the definitions need no harness.

export interface TextContent {
  type: 'text'
  text: string
}

/** A pending call. */
export type CallView = TerminalCallView | GenericCallView

interface TerminalCallView {
  card: 'terminal'
  /** The command. */
  title: string
  /** What the command does, in the model's words. */
  description: string
  /** As the model said it; a relative one starts from the directory of the session. */
  cwd?: string
}

interface GenericCallView {
  card: 'generic'
  title: string
  kind: 'read' | 'execute'
  rawInput: string
  content?: TextContent[]
}

/** A finished call. */
export type ResultView = TerminalResultView | GenericResultView

interface TerminalResultView {
  card: 'terminal'
  /** The text for the model without the exit, which the card shows as a pill. */
  output: string
  /** Absent when a signal ended it. */
  exitCode?: number
  signal?: string
}

interface GenericResultView {
  card: 'generic'
  content: TextContent[]
}

/** A finished call as a log keeps it. */
export interface ToolOutcome {
  /** The text for the model, or that of the error. */
  readonly text: string
  readonly isError: boolean
  /** What the tool's `facts` gave, when it was kept; a log may hold anything. */
  readonly facts?: unknown
}

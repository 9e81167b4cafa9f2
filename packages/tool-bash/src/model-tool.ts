import type { z } from 'zod'
import { parseArguments } from './arguments.ts'
import type { CallView, ResultView, ToolOutcome } from './views.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * One tool of the model, without a framework: an adapter turns `parameters` and `output` into the
 * schemas it needs, calls `execute`, and hands the text of `render` to the model.
 */
export interface ModelTool<Value = unknown> {
  readonly name: string
  /** For the model. */
  readonly description: string
  /** What the model may say. Fields that it does not name are dropped, not refused. */
  readonly parameters: z.ZodObject
  /** The canonical result: lossless JSON. */
  readonly output: z.ZodType<Value>
  /**
   * @param args what the model said, of any shape
   * @throws `ARGUMENTS_INVALID`, `COMMAND_ABORTED`, `TASK_FORBIDDEN`, and what the executor throws
   *   when it could not run the command. A command that ran and failed is a value.
   */
  execute(args: unknown, call: ToolCall): Promise<Value>
  /** The text for the model. */
  render(value: Value): string
  /** What {@link presentResult} wants to know beyond the text: lossless JSON, kept with the result. */
  facts?(value: Value): OutcomeFacts
  /** How a user interface shows the pending call; undefined for arguments that it cannot read. */
  presentCall(args: unknown): CallView | undefined
  /** How a user interface shows the finished call; undefined to show its text as it is. */
  presentResult(args: unknown, outcome: ToolOutcome): ResultView | undefined
}

/** JSON, because a log keeps it. */
export type OutcomeFacts = Record<string, string | number | null> | null

type TypedTool<Arguments, Value> = Omit<ModelTool<Value>, 'execute' | 'presentCall' | 'presentResult'> & {
  readonly parameters: z.ZodObject & z.ZodType<Arguments>
  execute(args: Arguments, call: ToolCall): Value | Promise<Value>
  presentCall(args: Arguments): CallView
  presentResult?(args: Arguments, outcome: ToolOutcome): ResultView | undefined
}

/**
 * Puts the argument checks around a tool that is written against its typed arguments: strict for
 * execution, soft for presentation, which also meets the logs of older versions.
 */
export function modelTool<Arguments, Value>(tool: TypedTool<Arguments, Value>): ModelTool<Value> {
  return {
    ...tool,
    async execute(args, call) {
      return tool.execute(parseArguments(tool.parameters, args), call)
    },
    presentCall(args) {
      const parsed = tool.parameters.safeParse(args)
      return parsed.success ? tool.presentCall(parsed.data) : undefined
    },
    presentResult(args, outcome) {
      const parsed = tool.parameters.safeParse(args)
      return parsed.success ? tool.presentResult?.(parsed.data, outcome) : undefined
    },
  }
}

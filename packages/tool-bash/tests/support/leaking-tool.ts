import type { BashExecRequest, BashExecutor } from 'dsh-bash'
import { bashTool } from '../../src/index.ts'
import type { MakeTool } from './trusted-surface.ts'

/** Whether a call is one that the mutant leaks in. */
type Leaks = (args: Record<string, unknown>) => boolean

/**
 * A mutant: the same definition, but the named fields of the model's arguments reach the request.
 * It exists to show that the guard goes red.
 */
export function leakingTool(fields: readonly (keyof BashExecRequest)[], leaksIn: Leaks = () => true): MakeTool {
  return (bash) => {
    let leaked: Record<string, unknown> = {}
    const forwarding = new Proxy(bash, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as BashExecutor[keyof BashExecutor]
        return name === 'resolve' ? (request: BashExecRequest) => target.resolve({ ...request, ...leaked }) : member
      },
    })
    const tool = bashTool(forwarding)
    return {
      ...tool,
      execute(args, call) {
        const said = args as Record<string, unknown>
        leaked = leaksIn(said) ? Object.fromEntries(fields.map((field) => [field, said[field]])) : {}
        return tool.execute(args, call)
      },
    }
  }
}

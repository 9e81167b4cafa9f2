import type { SandboxError } from 'dsh-bash-error'
import { createHooks, type Hooks, type HooksConfig } from '../../src/index.ts'
import { HookFiles } from './hook-files.ts'
import { ScriptedBash } from './scripted-bash.ts'

/** Hooks over an executor in memory, and everything that they reported. */
export interface ScriptedHooks extends AsyncDisposable {
  readonly files: HookFiles
  readonly bash: ScriptedBash
  readonly hooks: Hooks
  readonly problems: SandboxError[]
}

/** @param contents of files by their paths below {@link HookFiles.root} */
export async function scriptedHooks(
  contents: Readonly<Record<string, unknown>>,
  more: HooksConfig = {},
): Promise<ScriptedHooks> {
  const files = await HookFiles.create()
  for (const [path, content] of Object.entries(contents)) await files.write(path, content)
  const bash = new ScriptedBash()
  const problems: SandboxError[] = []
  const report = (problem: SandboxError): void => void problems.push(problem)
  const hooks = await createHooks({ bash, report, ...files.config(more) })
  return { files, bash, hooks, problems, [Symbol.asyncDispose]: () => files[Symbol.asyncDispose]() }
}

import type { HookEvent } from '../../src/index.ts'

const origin = { sessionId: 'session-a', cwd: '/work' }

/** The model is about to run a command. */
export function bashCall(command: string, more: Partial<HookEvent<'PreToolUse'>> = {}): HookEvent<'PreToolUse'> {
  return { ...origin, event: 'PreToolUse', toolName: 'Bash', toolInput: { command }, toolUseId: 'call-1', ...more }
}

/** The model is about to write a file. */
export function editCall(filePath: string, cwd = origin.cwd): HookEvent<'PreToolUse'> {
  return {
    ...origin,
    cwd,
    event: 'PreToolUse',
    toolName: 'Edit',
    toolInput: { file_path: filePath },
    toolUseId: 'call-2',
  }
}

export function promptEvent(prompt: string, cwd = origin.cwd): HookEvent<'UserPromptSubmit'> {
  return { ...origin, cwd, event: 'UserPromptSubmit', prompt }
}

export function stopEvent(stopHookActive = false, cwd = origin.cwd): HookEvent<'Stop'> {
  return { ...origin, cwd, event: 'Stop', stopHookActive }
}

export function startEvent(source: HookEvent<'SessionStart'>['source'], cwd = origin.cwd): HookEvent<'SessionStart'> {
  return { ...origin, cwd, event: 'SessionStart', source }
}

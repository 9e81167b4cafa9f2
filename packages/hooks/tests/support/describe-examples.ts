import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BashExecRequest, type BashExecutor, OwnerToken } from 'dsh-bash'
import type { SandboxError } from 'dsh-bash-error'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHooks, type Hooks, type HooksConfig, type HookEvent } from '../../src/index.ts'
import { bashCall, editCall, promptEvent, startEvent, stopEvent } from './events.ts'
import { HookFiles, hookTable } from './hook-files.ts'

/** Starts an executor whose commands see the files where they are. */
export type StartExecutor = (files: HookFiles) => Promise<BashExecutor & AsyncDisposable>

/** The uses that the programs' manuals show, each with the effect that they state. */
export function describeExamples(name: string, start: StartExecutor): void {
  describe(`hooks on ${name}`, () => {
    let files: HookFiles
    let bash: BashExecutor & AsyncDisposable
    let problems: SandboxError[]

    beforeEach(async () => {
      files = await HookFiles.create()
      problems = []
    })

    afterEach(async () => {
      await bash?.[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    })

    async function hooksOf(contents: Readonly<Record<string, unknown>>, more: HooksConfig = {}): Promise<Hooks> {
      for (const [path, content] of Object.entries(contents)) await files.write(path, content)
      bash = await start(files)
      return createHooks({ bash, report: (problem) => problems.push(problem), ...files.config(more) })
    }

    const here = <Event extends HookEvent>(event: Event): Event => ({ ...event, cwd: files.project })
    const ofModel = (command: string): BashExecRequest => ({
      command,
      workdir: files.project,
      owner: OwnerToken('session-a'),
    })
    /** What a file of the project holds, for a command of the same session. */
    async function fileText(path: string): Promise<string> {
      const { stdout } = await bash.run(bash.resolve(ofModel(`cat ${path}`)))
      return stdout.text
    }

    it('refuses a command with its reason, and lets others pass', async () => {
      const hooks = await hooksOf({
        'project/.claude/settings.json': hookTable(
          'PreToolUse',
          [{ command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh' }],
          'Bash',
        ),
        'project/.claude/hooks/check.sh':
          '#!/bin/bash\nif grep -q \'"command":"grep \'; then echo "Use rg." >&2; exit 2; fi\n',
      })
      expect(await hooks.run(here(bashCall('grep -r x')))).toMatchObject({ permission: 'deny', reason: 'Use rg.' })
      expect(await hooks.run(here(bashCall('rg x')))).toMatchObject({ blocked: false })
      expect(problems).toEqual([])
    })

    it('allows documents to be read without asking', async () => {
      const output = {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'allow',
          permissionDecisionReason: 'A document.',
        },
      }
      const hooks = await hooksOf({
        'claude/settings.json': hookTable(
          'PreToolUse',
          [{ command: `grep -qE '"file_path":"[^"]+\\.mdx?"' && echo '${JSON.stringify(output)}' || true` }],
          'Read',
        ),
      })
      const read = (file_path: string): HookEvent => ({ ...here(editCall(file_path)), toolName: 'Read' })
      expect(await hooks.run(read('/work/README.md'))).toMatchObject({ permission: 'allow', reason: 'A document.' })
      expect(await hooks.run(read('/work/secret.txt'))).not.toHaveProperty('permission')
    })

    it('protects files by a script of a plugin', async () => {
      const hooks = await hooksOf({
        'plugin/hooks/hooks.json': hookTable(
          'PreToolUse',
          [{ command: '${CLAUDE_PLUGIN_ROOT}/protect.sh' }],
          'Edit|Write',
        ),
        'plugin/protect.sh':
          '#!/bin/bash\npayload=$(cat)\ncase $payload in *.env\\"*) echo "$CLAUDE_PLUGIN_ROOT guards it" >&2; exit 2 ;; esac\n',
      })
      expect(await hooks.run(here(editCall('/work/.env')))).toMatchObject({ reason: `${files.plugin} guards it` })
      expect(await hooks.run(here(editCall('/work/a.ts')))).toMatchObject({ blocked: false })
    })

    it('finds the scripts of the user by ~, where HOME is configured to be theirs', async () => {
      const hooks = await hooksOf(
        {
          'claude/settings.json': hookTable('PreToolUse', [{ command: '~/claude/hooks/check.sh' }]),
          'claude/hooks/check.sh': '#!/bin/bash\necho "by the user" >&2; exit 2\n',
        },
        { env: { HOME: files.root } },
      )
      expect(await hooks.run(here(bashCall('ls')))).toMatchObject({ permission: 'deny', reason: 'by the user' })
    })

    it('looks at prompts, and adds what the model should know', async () => {
      const script = `payload=$(cat); [[ $payload == *password:* ]] && { echo '{"decision":"block","reason":"A secret."}'; exit; }; echo "In $PWD"`
      const hooks = await hooksOf({ 'claude/settings.json': hookTable('UserPromptSubmit', [{ command: script }]) })
      expect(await hooks.run(here(promptEvent('my password: x')))).toMatchObject({ blocked: true, reason: 'A secret.' })
      expect(await hooks.run(here(promptEvent('hi')))).toMatchObject({ additionalContexts: [`In ${files.project}`] })
    })

    it('keeps a record of commands', async () => {
      const script = `{ IFS= read -r event && echo "$event" && ! read -r more && echo "one line"; } > record`
      const hooks = await hooksOf({ 'claude/settings.json': hookTable('PreToolUse', [{ command: script }], 'Bash') })
      await hooks.run(here(bashCall('echo "$HOME" $(id)')))
      const [event = '', end] = (await fileText('record')).split('\n')
      expect(JSON.parse(event)).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'echo "$HOME" $(id)' } })
      expect(end).toBe('one line')
    })

    it('tells the model at the start where it is, of this kind of start alone', async () => {
      const hooks = await hooksOf({
        'project/.codex/hooks.json': hookTable(
          'SessionStart',
          [{ command: 'echo "Read CONTRIBUTING first."' }],
          'startup|resume',
        ),
      })
      expect(await hooks.run(here(startEvent('startup')))).toMatchObject({
        additionalContexts: ['Read CONTRIBUTING first.'],
      })
      expect(await hooks.run(here(startEvent('clear')))).toMatchObject({ runs: [] })
    })

    it('has the agent go on until the tests pass, once', async () => {
      const script = `grep -q '"stop_hook_active":true' || echo '{"decision":"block","reason":"Run the tests once more."}'`
      const hooks = await hooksOf({
        'codex/config.toml': `[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = '''${script}'''\ntimeout = 30\n`,
      })
      expect(await hooks.run(here(stopEvent(false)))).toMatchObject({
        blocked: true,
        reason: 'Run the tests once more.',
      })
      expect(await hooks.run(here(stopEvent(true)))).toMatchObject({ blocked: false })
    })

    it('gives a Codex hook no newline and no variables of Claude Code', async () => {
      const script = `payload=$(cat; echo .); [[ $payload == *\\}. ]] && echo "\${CLAUDE_PROJECT_DIR-none}" >&2; exit 2`
      const hooks = await hooksOf({ 'codex/hooks.json': hookTable('PreToolUse', [{ command: script }], '^Bash$') })
      expect(await hooks.run(here(bashCall('ls')))).toMatchObject({ permission: 'deny', reason: 'none' })
    })

    it('tells a notify program of the end of a turn, in its last argument', async () => {
      const hooks = await hooksOf({
        'codex/config.toml': `notify = ["bash", "-c", 'printf "%s|" "$@" > notified', "program"]\n`,
      })
      const said = 'It\'s done: $(id) "quoted"'
      await hooks.run(
        here({ ...stopEvent(), event: 'AgentTurnComplete', inputMessages: ['go'], lastAssistantMessage: said }),
      )
      await hooks.settled()
      expect(JSON.parse((await fileText('notified')).slice(0, -1))).toMatchObject({ 'last-assistant-message': said })
    })

    it('reads a decision of a megabyte to its last byte, and no longer one', async () => {
      const size = 1_048_576
      const script = (bytes: number): string =>
        `printf '{"decision":"block","reason":"'; head -c ${bytes - 36} /dev/zero | tr '\\0' x; printf 'end"}\\n'`
      const hooks = await hooksOf({ 'claude/settings.json': hookTable('Stop', [{ command: script(size) }]) })
      const { reason, blocked } = await hooks.run(here(stopEvent()))
      expect([blocked, reason?.length, reason?.slice(-4)]).toEqual([true, size - 33, 'xend'])
      expect(problems).toEqual([])
      await files.write('claude/settings.json', hookTable('Stop', [{ command: script(size + 1) }]))
      const longer = await createHooks({ bash, report: (problem) => problems.push(problem), ...files.config() })
      expect(await longer.run(here(stopEvent()))).toMatchObject({ blocked: false })
      expect(problems).toMatchObject([{ code: 'HOOK_OUTPUT_TOO_LARGE' }])
    })

    it('ends a hook at its own timeout with all its processes, and does not block', async () => {
      const hooks = await hooksOf({
        'claude/settings.json': hookTable('PreToolUse', [
          { command: 'sleep 600 & echo $! > hook-child; wait; exit 2', timeout: 0.5 },
        ]),
      })
      expect(await hooks.run(here(bashCall('ls')))).toMatchObject({ blocked: false })
      expect(problems).toMatchObject([{ code: 'HOOK_TIMED_OUT', context: { timeoutMs: 500 } }])
      // One that has ended, and that its new parent has not looked at yet, is gone.
      const state = `sed -n 's/^State:\\s*//p' /proc/${(await fileText('hook-child')).trim()}/status 2> /dev/null`
      const look = `[[ $(${state}) == [!Z]* ]] && echo alive || echo gone`
      const looked = await bash.run(bash.resolve(ofModel(look)))
      expect(looked.stdout.text).toBe('gone\n')
    })

    it('reports a hook that cannot run, and goes on', async () => {
      const hooks = await hooksOf({
        'claude/settings.json': hookTable('PreToolUse', [{ command: '/no/such/hook' }, { command: 'echo fine' }]),
      })
      expect(await hooks.run(here(bashCall('ls')))).toMatchObject({ blocked: false, runs: [{}, { text: 'fine' }] })
      expect(problems).toMatchObject([{ code: 'HOOK_FAILED', context: { exitCode: 127 } }])
      expect(await hooks.run({ ...bashCall('ls'), cwd: join(files.root, 'absent') })).toMatchObject({ blocked: false })
      expect(problems.slice(1).map(({ code }) => code)).toEqual(['HOOK_NOT_RUN', 'HOOK_NOT_RUN'])
    })

    it('ends its hooks when the caller gives up', async () => {
      const hooks = await hooksOf({
        'claude/settings.json': hookTable('Stop', [{ command: 'echo begun > begun; sleep 600' }]),
      })
      const controller = new AbortController()
      const running = hooks.run(here(stopEvent()), { signal: controller.signal })
      await expect.poll(() => fileText('begun')).toBe('begun\n')
      controller.abort()
      expect(await running).toMatchObject({ blocked: false, runs: [{ status: 'aborted' }] })
      expect(problems).toEqual([])
    })

    it('runs hooks side by side', async () => {
      // Each waits for the other.
      const meet = (mine: string, other: string): string =>
        `touch meet-${mine}; until [ -e meet-${other} ]; do sleep 0.05; done; echo met`
      const hooks = await hooksOf({
        'claude/settings.json': hookTable('Stop', [{ command: meet('a', 'b') }, { command: meet('b', 'a') }]),
      })
      expect(await hooks.run(here(stopEvent()))).toMatchObject({ runs: [{ text: 'met' }, { text: 'met' }] })
    })

    it('never expands what a model said', async () => {
      const hooks = await hooksOf({ 'claude/settings.json': hookTable('PreToolUse', [{ command: 'cat' }]) })
      const toolInput = { command: '$(touch hacked)', env: { INJECTED: 'x' }, stdin: 'x' }
      await hooks.run(here(bashCall('', { toolInput })))
      await expect(readFile(join(files.project, 'hacked'))).rejects.toMatchObject({ code: 'ENOENT' })
    })
  })
}

import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHooks, type HookHandler } from '../src/index.ts'
import { HookFiles, hookTable } from './support/hook-files.ts'
import { ScriptedBash } from './support/scripted-bash.ts'
import { scriptedHooks } from './support/scripted-hooks.ts'

const one = (command: string): object => hookTable('Stop', [{ command }])

function commands(handlers: readonly HookHandler[]): string[] {
  return handlers.map(({ command }) => command)
}

describe('the files of Claude Code', () => {
  const everywhere = {
    'managed.json': one('managed'),
    'claude/settings.json': one('user'),
    'project/.claude/settings.json': one('project'),
    'project/.claude/settings.local.json': one('local'),
    'plugin/hooks/hooks.json': { description: 'x', ...one('plugin') },
  }

  it('add to each other', async () => {
    await using scripted = await scriptedHooks(everywhere)
    expect(commands(scripted.hooks.handlers)).toEqual(['managed', 'user', 'project', 'local', 'plugin'])
    expect(scripted.hooks.handlers.map(({ source }) => source.scope)).toEqual([
      'managed',
      'user',
      'project',
      'local',
      'plugin',
    ])
    expect(scripted.problems).toEqual([])
  })

  it('of the project count only when it is trusted, which it is not by default', async () => {
    await using scripted = await scriptedHooks(everywhere, { trustProject: false })
    expect(commands(scripted.hooks.handlers)).toEqual(['managed', 'user', 'plugin'])
    const { trustProject: _trust, ...untold } = scripted.files.config()
    expect(commands((await createHooks({ bash: new ScriptedBash(), ...untold })).handlers)).toEqual([
      'managed',
      'user',
      'plugin',
    ])
  })

  it('can switch hooks off, the nearest one deciding, but not the administrator’s', async () => {
    await using user = await scriptedHooks({
      ...everywhere,
      'claude/settings.json': { ...one('user'), disableAllHooks: true },
    })
    expect(commands(user.hooks.handlers)).toEqual(['managed'])
    await using local = await scriptedHooks({
      ...everywhere,
      'claude/settings.json': { ...one('user'), disableAllHooks: true },
      'project/.claude/settings.local.json': { disableAllHooks: false },
    })
    expect(commands(local.hooks.handlers)).toEqual(['managed', 'user', 'project', 'plugin'])
    await using managed = await scriptedHooks({
      ...everywhere,
      'managed.json': { ...one('managed'), allowManagedHooksOnly: true },
    })
    expect(commands(managed.hooks.handlers)).toEqual(['managed'])
  })

  it('of a plugin may be named by its manifest, within the plugin, or stand in it', async () => {
    await using scripted = await scriptedHooks({
      'plugin/.claude-plugin/plugin.json': { name: 'p', hooks: ['./more.json', '../outside.json'] },
      'plugin/more.json': one('more'),
      'outside.json': one('outside'),
    })
    expect(commands(scripted.hooks.handlers)).toEqual(['more'])
    expect(scripted.problems).toMatchObject([{ code: 'HOOK_CONFIG_INVALID', context: { field: 'hooks' } }])
    await using inline = await scriptedHooks({ 'plugin/.claude-plugin/plugin.json': { name: 'p', ...one('inline') } })
    expect(commands(inline.hooks.handlers)).toEqual(['inline'])
  })
})

describe('the files of Codex', () => {
  const toml = `
model = "some-model"
notify = ["notify-send", "Codex"]

[[hooks.PreToolUse]]
matcher = "^Bash$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "check"
timeout = 30
statusMessage = "Checking"

[hooks.state."somewhere"]
enabled = true
`

  it('are JSON and TOML, and add to each other', async () => {
    await using scripted = await scriptedHooks({
      'codex/config.toml': toml,
      'codex/hooks.json': one('user'),
      'project/.codex/hooks.json': one('project'),
    })
    expect(scripted.problems).toEqual([])
    expect(scripted.hooks.handlers).toMatchObject([
      { command: 'check', event: 'PreToolUse', matcher: '^Bash$', timeoutMs: 30_000 },
      { command: 'user', event: 'Stop', timeoutMs: undefined },
      { command: 'project' },
      { command: 'notify-send', args: ['Codex'], event: 'AgentTurnComplete', isAsync: true },
    ])
  })

  it.each(['hooks', 'codex_hooks'])('can switch them off by features.%s', async (name) => {
    await using scripted = await scriptedHooks({
      'codex/config.toml': `[features]\n${name} = false\n`,
      'codex/hooks.json': one('user'),
    })
    expect(scripted.hooks.handlers).toEqual([])
  })
})

describe('a file that is wrong', () => {
  it.each([
    ['no JSON', '{"hooks": '],
    ['no object', '[]'],
    ['no table', { hooks: [] }],
    ['a table without lists', { hooks: { Stop: {} } }],
    ['a group without hooks', { hooks: { Stop: [{}] } }],
    ['a hook without a command', hookTable('Stop', [{}])],
    ['a blank command', one(' ')],
    ['a timeout of zero', hookTable('Stop', [{ command: 'x', timeout: 0 }])],
    ['a matcher that is none', hookTable('PreToolUse', [{ command: 'x' }], '(')],
  ])('with %s is reported by its path, and costs the others nothing', async (_, content) => {
    await using scripted = await scriptedHooks({
      'claude/settings.json': content,
      'project/.claude/settings.json': one('project'),
      'codex/hooks.json': one('codex'),
    })
    expect(commands(scripted.hooks.handlers)).toEqual(['project', 'codex'])
    const path = join(scripted.files.root, 'claude/settings.json')
    expect(scripted.problems).toMatchObject([{ code: 'HOOK_CONFIG_INVALID', context: { path } }])
    expect(scripted.problems[0]?.message).toContain(path)
    expect(scripted.hooks.problems).toEqual(scripted.problems)
  })

  it('loses nothing but the entry that is wrong', async () => {
    const good = { type: 'command', command: 'good' }
    await using scripted = await scriptedHooks({
      'claude/settings.json': {
        hooks: {
          Stop: [
            { hooks: [{ type: 'prompt', prompt: 'x' }, good, { type: 'command', command: 'x', shell: 'powershell' }] },
          ],
          Unheard: [{ hooks: [good] }],
          PreToolUse: [
            { matcher: '[', hooks: [good] },
            { matcher: 'Bash', hooks: [good] },
          ],
        },
      },
    })
    expect(scripted.hooks.handlers.map(({ event, matcher }) => [event, matcher])).toEqual([
      ['Stop', undefined],
      ['PreToolUse', 'Bash'],
    ])
    expect(scripted.problems.map(({ code, context }) => [code, context['field']])).toEqual([
      ['HOOK_UNSUPPORTED', 'hooks.Stop.0.hooks.0'],
      ['HOOK_CONFIG_INVALID', 'hooks.Stop.0.hooks.2'],
      ['HOOK_UNSUPPORTED', 'hooks.Unheard'],
      ['HOOK_CONFIG_INVALID', 'hooks.PreToolUse.0.matcher'],
    ])
  })

  it.each(['codex/config.toml', 'project/.codex/config.toml'])('in TOML at %s is reported too', async (path) => {
    await using scripted = await scriptedHooks({ [path]: '[hooks\n', 'claude/settings.json': one('claude') })
    expect(commands(scripted.hooks.handlers)).toEqual(['claude'])
    expect(scripted.problems).toMatchObject([{ code: 'HOOK_CONFIG_INVALID' }])
  })

  it('is a link out of the project, a folder or a pipe', async () => {
    await using files = await HookFiles.create()
    await mkdir(join(files.project, '.claude'))
    await writeFile(join(files.root, 'outside.json'), JSON.stringify(one('outside')))
    await symlink(join(files.root, 'outside.json'), join(files.project, '.claude/settings.json'))
    await mkdir(join(files.root, 'claude/settings.json'), { recursive: true })
    execFileSync('mkfifo', [join(files.project, '.claude/settings.local.json')])
    const problems: string[] = []
    const hooks = await createHooks({
      ...files.config(),
      bash: new ScriptedBash(),
      report: ({ code }) => problems.push(code),
    })
    expect(hooks.handlers).toEqual([])
    expect(problems).toEqual(['HOOK_CONFIG_INVALID', 'HOOK_CONFIG_INVALID', 'HOOK_CONFIG_INVALID'])
  })
})

it('options that are wrong are refused by name', async () => {
  const options = { bash: new ScriptedBash(), claudeCode: { plugins: ['relative'] }, maxOutputBytes: 0 }
  await expect(createHooks(options)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    context: { fields: ['claudeCode.plugins.0', 'maxOutputBytes'] },
  })
})

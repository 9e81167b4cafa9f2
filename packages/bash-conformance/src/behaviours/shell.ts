import type { Suite } from '../suite.ts'
import { withAmbient } from '../support/ambient.ts'
import { quoted, run, stdoutOf } from '../support/commands.ts'

/** Each command gets a fresh, non-login `bash -c`. */
export function shell({ test, expect, shared, fresh, mark }: Suite): void {
  test('is bash, not in its POSIX mode, neither login nor interactive', async () => {
    const { bash } = await shared()
    const facts =
      'echo "${BASH_VERSION:+bash} ${0##*/} $#"; shopt -q login_shell || echo no-login; shopt -qo posix || echo no-posix'
    expect(await stdoutOf(bash, facts)).toBe('bash bash 0\nno-login\nno-posix\n')
    const flags = await stdoutOf(bash, 'echo $-')
    expect(flags).toContain('c')
    expect(flags).not.toMatch(/[imsx]/)
  })

  test('reads no start-up file', async () => {
    const { bash, world } = await shared()
    const home = `${world.workdir}/home-${mark()}`
    const startupFiles = '.bashrc .bash_profile .bash_login .profile'
    await run(bash, `mkdir ${home} && cd ${home} && for f in ${startupFiles}; do echo "echo read $f" > $f; done`)
    const command = 'echo "home: $HOME"'
    expect(await stdoutOf(bash, { command, env: { HOME: home } })).toBe(`home: ${home}\n`)
    // Bash takes `-c` for a remote shell's when a socket is its input, or when this is set, and reads .bashrc.
    const remote = { HOME: home, SSH_CLIENT: '192.0.2.1 1 2', SHLVL: '0' }
    expect(await stdoutOf(bash, { command, env: remote, stdin: '' })).toBe(`home: ${home}\n`)
  })

  test('does not read the file that an ambient BASH_ENV or ENV names', async () => {
    const { bash, world } = await shared()
    const script = `${world.workdir}/bash-env-${mark()}`
    await run(bash, `echo 'echo injected' > ${quoted(script)}`)
    await withAmbient({ BASH_ENV: script, ENV: script }, () =>
      fresh({}, async (executor) => {
        expect(await stdoutOf(executor.bash, 'echo own')).toBe('own\n')
      }),
    )
  })

  test('keeps no state for the next command', async () => {
    const { bash } = await shared()
    await run(
      bash,
      'cd /; left=over; export LEFT=over; f() { echo over; }; alias a=over; set -e; umask 0; ulimit -c 0; trap "echo over" EXIT',
    )
    const state = 'echo "$PWD|$left|$LEFT|$(type -t f)|$(alias)|$-|$(umask)|$(trap)"'
    const { bash: untouched, world } = await shared({ cwd: (await shared()).world.workdir })
    const request = { command: state, workdir: world.workdir }
    expect(await stdoutOf(bash, request)).toBe(await stdoutOf(untouched, request))
  })

  test('takes the command as one script, whatever is in it', async () => {
    const { bash } = await shared()
    const script = `
      # a comment
      text=$(cat <<'END'
it's "quoted" \\ and $unexpanded
END
      )
      list=(one "two three")
      [[ $text == *quoted* ]] && printf '%s\\n' "$text" "\${list[@]}" # no newline at the end`
    expect(await stdoutOf(bash, script)).toBe('it\'s "quoted" \\ and $unexpanded\none\ntwo three\n')
  })

  test('takes a command that begins with a dash as a command', async () => {
    const { bash } = await shared()
    const result = await run(bash, '--version')
    expect({ exitCode: result.exitCode, stdout: result.stdout.text }).toEqual({ exitCode: 127, stdout: '' })
  })
}

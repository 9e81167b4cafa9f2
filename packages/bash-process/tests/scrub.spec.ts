import { describe, expect, it } from 'vitest'
import { scrubCredentialNames, scrubCredentialValues, scrubHostBound } from '../src/scrub.ts'

describe('the environment scrub', () => {
  it.each(['MY_API_KEY', 'aws_secret_access', 'GithubToken', 'db_password', 'KEYBOARD', 'BASH_ENV'])(
    'drops %s by its name',
    (name) => {
      expect(scrubCredentialNames({ [name]: 'x', PLAIN_VAR: 'y' })).toEqual({ PLAIN_VAR: 'y' })
    },
  )

  it('drops variables that are absent', () => {
    expect(scrubCredentialNames({ GONE: undefined })).toEqual({})
  })

  it.each([
    'PATH',
    'HOME',
    'TMPDIR',
    'XDG_RUNTIME_DIR',
    'SSH_AUTH_SOCK',
    'DOCKER_HOST',
    'LD_PRELOAD',
    'BASH_FUNC_ls%%',
    'PROMPT_COMMAND',
    'PS4',
    'ENV',
    'EDITOR',
    'NODE_OPTIONS',
    'npm_config_cache',
    'https_proxy',
    'VSCODE_IPC_HOOK',
    'GIT_DIR',
    'GIT_SSL_CAINFO',
    'AWS_CA_BUNDLE',
    'SSL_CERT_FILE',
    'PIP_CERT',
  ])('drops the host-bound %s', (name) => {
    expect(scrubHostBound({ [name]: 'x', LANG: 'C.UTF-8', TZ: 'UTC', CI: '1' })).toEqual({
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      CI: '1',
    })
  })

  it('keeps names that merely contain a host-bound one', () => {
    const kept = { MY_PATH: 'a', HOMEPAGE: 'b', ENVIRONMENT: 'c', PATHS: 'd' }
    expect(scrubHostBound(kept)).toEqual(kept)
  })

  it.each([
    ['an OpenAI key', `sk-${'a'.repeat(32)}`],
    ['a GitHub token', `ghp_${'A1'.repeat(18)}`],
    ['an AWS access key', 'AKIAABCDEFGHIJKLMNOP'],
    ['a Slack token', 'xoxb-123456789012-abcdef'],
    ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sig'],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc'],
    ['an address with a password', 'postgres://user:hunter2@db.example/app'],
    ['an authorization header', 'Bearer abcdef0123456789'],
  ])('drops %s by its value', (_what, value) => {
    expect(scrubCredentialValues({ INNOCENT: value, PLAIN_VAR: 'y' })).toEqual({ PLAIN_VAR: 'y' })
  })

  it.each(['https://example.org/a:b@c', 'sk-short', 'the quick brown fox', '/usr/bin:/bin', 'user@host:path'])(
    'keeps the ordinary value %s',
    (value) => {
      expect(scrubCredentialValues({ PLAIN_VAR: value })).toEqual({ PLAIN_VAR: value })
    },
  )
})

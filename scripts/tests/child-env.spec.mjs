import { expect, it } from 'vitest'
import { callerEnv, toolEnv } from '../lib/child-env.mjs'

const npmRun = {
  HOME: '/home/me',
  PATH: '/repo/node_modules/.bin:/node_modules/.bin:/lib/npm/run-script/lib/node-gyp-bin:/usr/bin:/bin',
  INIT_CWD: '/home/me/project',
  NODE: '/usr/bin/node',
  COLOR: '0',
  NODE_ENV: 'production',
  npm_command: 'start',
  npm_config_loglevel: 'silent',
  npm_config_cafile: '/etc/ca.crt',
  npm_lifecycle_event: 'start',
  npm_package_name: 'x',
}

it('gives the command the environment that npm was called with', () => {
  expect(callerEnv(npmRun)).toEqual({ HOME: '/home/me', PATH: '/usr/bin:/bin', NODE_ENV: 'production' })
})

it('leaves the environment alone when npm did not start us', () => {
  const { npm_lifecycle_event: _, ...env } = npmRun
  expect(callerEnv(env)).toBe(env)
})

it("keeps the user's npm settings for the tools, without what silences or misleads them", () => {
  expect(toolEnv(npmRun, ['/toolchain'])).toEqual({
    HOME: '/home/me',
    PATH: `/toolchain:${npmRun.PATH}`,
    npm_config_cafile: '/etc/ca.crt',
  })
})

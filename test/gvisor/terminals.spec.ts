import { expect, it } from 'vitest'
import { startGvisorSession } from './gvisor-session.ts'

const terminal = {
  argv: ['bash', '--norc', '-i'],
  workdir: '/',
  env: { PATH: '/usr/bin:/bin' },
  uid: 1000,
  gid: 1000,
  umask: 0o022,
  resourceLimits: [],
  size: { rows: 24, columns: 80 },
}

it('has whole terminals on gVisor, or says that it has none and opens none', async () => {
  const { container, supervisor } = await startGvisorSession()
  try {
    const { terminalErrno } = await supervisor.hello
    const opening = supervisor.openTerminal(terminal)
    if (terminalErrno === 0) {
      const opened = await opening
      expect(await opened.inspectForeground()).toMatchObject({ processGroupId: opened.pid })
    } else {
      await expect(opening).rejects.toMatchObject({ code: 'SPAWN_FAILED', context: { stage: 'terminal' } })
    }
    await supervisor.ping()
  } finally {
    await container.end()
  }
})

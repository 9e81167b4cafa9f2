import { afterAll, beforeAll, expect } from 'vitest'
import { buildSupervisor, SupervisorProcess } from './supervisor-process.ts'

/**
 * One supervisor for all tests of a `describe`. It must have written nothing on its standard error when
 * they are over.
 *
 * @param onStart takes it before the first test
 */
export function useSupervisor(
  target: 'amd64' | 'sanitized',
  onStart: (supervisor: SupervisorProcess) => void,
  options: readonly string[] = [],
): void {
  let build: ReturnType<typeof buildSupervisor>
  let supervisor: SupervisorProcess

  beforeAll(() => {
    build = buildSupervisor(target)
    supervisor = new SupervisorProcess(build.path, options)
    onStart(supervisor)
  })
  afterAll(async () => {
    await supervisor[Symbol.asyncDispose]()
    build.remove()
    expect(supervisor.stderr).toBe('')
  })
}

import type { StartedSession } from 'dsh-bash-docker'
import { expect, it } from 'vitest'
import type { Progress } from '../../src/output/progress.ts'
import { RunWatch } from '../../src/run/run-watch.ts'
import { Timings } from '../../src/run/timings.ts'

const session: StartedSession = {
  sessionId: 'one',
  image: 'debian:12',
  container: { id: 'c0ffee', name: 'bash-docker-one' },
  user: { uid: 1000, gid: 1000 },
  workspace: undefined,
}

/** What would be shown, in order. */
function recorded(): { shown: string[]; progress: Progress } {
  const shown: string[] = []
  const progress: Pick<Progress, 'quick' | 'slow' | 'clear'> = {
    quick: (text) => void shown.push(text),
    slow: (title, detail) => void shown.push(`${title}: ${detail}`),
    clear: () => void shown.push('(clear)'),
  }
  return { shown, progress: progress as Progress }
}

it('shows each step of a session, and nothing any more once a command can print', () => {
  const { shown, progress } = recorded()
  const watch = new RunWatch(new Timings(), progress)
  watch.sessionStep({ step: 'connect' })
  watch.sessionStep({ step: 'image', reference: 'debian:12' })
  watch.sessionStep({ step: 'image-progress', progress: { step: 'pull', reference: 'debian:12', line: 'half' } })
  watch.sessionStep({ step: 'container' })
  watch.sessionStep({ step: 'started', session })
  expect(shown).toEqual([
    'looking for an engine',
    'looking for the image debian:12',
    'pulling the image debian:12: half',
    'starting a session',
    '(clear)',
  ])
  expect(watch.session).toBe(session)
})

it('measures the same steps, then the command', () => {
  let nowMs = 0
  const watch = new RunWatch(new Timings(() => nowMs), recorded().progress)
  for (const step of ['connect', 'image', 'container'] as const) {
    watch.sessionStep(step === 'image' ? { step, reference: '' } : { step })
    nowMs += 10
  }
  watch.commandBegan()
  nowMs += 5
  watch.commandEnded()
  expect(watch.report()).toEqual({ connectMs: 10, imageMs: 10, sessionMs: 10, commandMs: 5, totalMs: 35 })
})

it('leaves nothing on the terminal when there was no command', () => {
  const { shown, progress } = recorded()
  const watch = new RunWatch(new Timings(), progress)
  watch.sessionStep({ step: 'connect' })
  watch.commandEnded()
  expect(shown.at(-1)).toBe('(clear)')
})

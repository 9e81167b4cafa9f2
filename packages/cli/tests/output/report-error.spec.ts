import { SandboxError } from 'dsh-bash-error'
import { describe, expect, it } from 'vitest'
import { errorLine, errorReport } from '../../src/output/report-error.ts'

describe('an error', () => {
  const listed = new SandboxError(
    'ENGINE_NOT_FOUND',
    'no engine; tried:\n  Docker (unix:///a): gone\n  Colima: gone\n',
    {
      hint: 'Start one.',
    },
  )

  it('is one line for people: what, which code, what to do', () => {
    expect(errorLine(new SandboxError('USAGE', 'unknown option --x'))).toBe(
      'bash-docker: unknown option --x (USAGE). `bash-docker --help` shows the options.',
    )
    expect(errorLine(listed)).toBe(
      'bash-docker: no engine; tried: Docker (unix:///a): gone; Colima: gone (ENGINE_NOT_FOUND). Start one.',
    )
  })

  it('is an object for programs', () => {
    expect(JSON.parse(JSON.stringify(errorReport(listed)))).toEqual({
      error: {
        name: 'SandboxError',
        code: 'ENGINE_NOT_FOUND',
        message: listed.message,
        hint: 'Start one.',
        retryable: true,
        context: {},
      },
    })
    expect(errorReport(new TypeError('oops'))).toEqual({ error: { name: 'Error', message: 'oops' } })
  })
})

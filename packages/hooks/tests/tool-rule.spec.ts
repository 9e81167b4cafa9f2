import { describe, expect, it } from 'vitest'
import { ruleAdmits } from '../src/tool-rule.ts'

describe('a rule that narrows a hook', () => {
  it.each([
    ['Bash(git push *)', 'git push', true],
    ['Bash(git push *)', 'git push --force', true],
    ['Bash(git push *)', 'git pushy', false],
    ['Bash(git push *)', 'cd /tmp && git push origin', true],
    ['Bash(git push *)', 'GIT_TRACE=1 git push origin', true],
    ['Bash(git push:*)', 'git push origin', true],
    ['Bash(npm run test)', 'npm run test', true],
    ['Bash(npm run test)', 'npm run tests', false],
    ['Bash(rm *)', 'ls | xargs rm -r', false],
    ['Bash(rm *)', 'echo "$(rm -r x)"', true],
    ['Bash', 'anything', true],
    ['Bash(*)', 'anything', true],
    ['Edit(*.ts)', 'anything', false],
  ])('%s of the command %j: %j', (rule, command, expected) => {
    expect(ruleAdmits(rule, ['Bash', 'bash'], { command })).toBe(expected)
  })

  it.each([
    ['Edit(*.ts)', '/work/src/a.ts', true],
    ['Edit(*.ts)', '/work/src/a.tsx', false],
    ['Edit(src/**)', '/work/src/deep/a.ts', true],
    ['Edit(a+b.c)', '/work/aab.c', false],
    ['Edit(a+b.c)', '/work/a+b.c', true],
  ])('%s of the file %j: %j', (rule, file_path, expected) => {
    expect(ruleAdmits(rule, ['Edit'], { file_path })).toBe(expected)
  })

  it('lets the hook run when it cannot tell', () => {
    expect([
      ruleAdmits('not a rule (', ['Edit'], {}),
      ruleAdmits('WebFetch(domain:x)', ['WebFetch'], { url: 'y' }),
    ]).toEqual([true, true])
  })
})

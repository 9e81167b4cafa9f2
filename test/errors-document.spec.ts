import { readFile } from 'node:fs/promises'
import { errorCodes } from 'dsh-bash-error'
import { expect, it } from 'vitest'

it('docs/errors.md has a heading for each error code, and for no other', async () => {
  const text = await readFile(new URL('../docs/errors.md', import.meta.url), 'utf8')
  const headings = [...text.matchAll(/^### (\S+)$/gm)].map((match) => match[1])
  expect(headings.toSorted()).toEqual(Object.keys(errorCodes).toSorted())
})

it('docs/errors.md gives each code its meaning and its fix', async () => {
  const text = await readFile(new URL('../docs/errors.md', import.meta.url), 'utf8')
  for (const section of text.split(/^### /m).slice(1)) {
    const [code = '', ...lines] = section.split(/^## /m)[0]?.split('\n') ?? []
    expect(lines.join(' '), code).toMatch(/\S.*\. Fix: \S/)
  }
})

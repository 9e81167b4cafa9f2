import type { Suite } from '../suite.ts'
import { run } from '../support/commands.ts'

const mebibyte = 2 ** 20
const floodBytes = 200 * mebibyte
const warmUpBytes = 32 * mebibyte
const grownAtMostBytes = 64 * mebibyte

/** Output without end costs the host no more than the caps say. */
export function flood({ test, expect, timing, capabilities, shared }: Suite): void {
  const limits = { maxOutputBytes: 10_000, maxSpillBytes: mebibyte }

  for (const [stream, redirection] of [
    ['stdout', ''],
    ['stderr', '>&2'],
  ] as const) {
    test(
      `takes 200 MiB of ${stream}, keeps the tail and does not grow`,
      async () => {
        const { bash } = await shared(limits)
        // What the first long output makes a process grow by is not this command's.
        await run(bash, `head -c ${warmUpBytes} /dev/zero ${redirection}`)
        const flooding = `{ head -c ${floodBytes - 4} /dev/zero | tr '\\0' x; echo end; } ${redirection}`
        const { value: result, grownBytes } = await withPeakMemory(() => run(bash, flooding))
        const collected = result[stream]
        expect({ exitCode: result.exitCode, truncated: collected.truncated }).toEqual({ exitCode: 0, truncated: true })
        expect(collected.text === `${'x'.repeat(limits.maxOutputBytes - 4)}end\n`).toBe(true)
        expect('spillPath' in collected).toBe(false)
        expect(collected.totalBytes).toBe(capabilities.reportsTotalBytes ? floodBytes : undefined)
        expect(grownBytes).toBeLessThan(grownAtMostBytes)
      },
      timing.heavyTestMs,
    )
  }

  test(
    'does not stop another command from answering',
    async () => {
      const { bash } = await shared(limits)
      const controller = new AbortController()
      const flooding = run(bash, { command: 'while :; do echo flood; done', signal: controller.signal })
      try {
        for (let i = 0; i < 5; i++) expect((await run(bash, `echo ${i}`)).stdout.text).toBe(`${i}\n`)
      } finally {
        controller.abort()
      }
      expect((await flooding).aborted).toBe(true)
    },
    timing.heavyTestMs,
  )
}

/** How much the resident size of this process grew at most while `use` ran. */
async function withPeakMemory<T>(use: () => Promise<T>): Promise<{ value: T; grownBytes: number }> {
  const before = process.memoryUsage.rss()
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  try {
    return { value: await use(), grownBytes: Math.max(peak, process.memoryUsage.rss()) - before }
  } finally {
    clearInterval(sampler)
  }
}

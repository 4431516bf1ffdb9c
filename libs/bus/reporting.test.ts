import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Fault } from '#contracts'
import { RemoteDefect } from './client.ts'
import { type ReportId, startReporting } from './reporting.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Report = { readonly number: number }

/** Reports one number after the other to somebody who may be away. */
function start(answer: () => Promise<void>) {
  const sent: (Report & ReportId)[] = []
  const registry = new Registry()
  let number = 0
  const reporting = startReporting<Report>({
    take: () => [{ number: number++ }],
    async send(report) {
      await answer()
      sent.push(report)
    },
    logger: pino({ level: 'silent' }),
    registry,
  })
  const lost = async () => (await registry.getSingleMetric('sociallogin_reports_lost_total')?.get())?.values[0]?.value
  return { sent, lost, reporting }
}

test('reports are delivered in order, each by a name of its own, the last ones at the end', async () => {
  const { sent, reporting } = start(async () => {})
  await vi.advanceTimersByTimeAsync(6_000)
  await reporting[Symbol.asyncDispose]()
  expect(sent.map(({ number, sequence }) => [number, sequence])).toEqual([0, 1, 2, 3].map((n) => [n, n]))
  expect(new Set(sent.map(({ source }) => source)).size).toBe(1)
})

test('while the receiver is away the newest reports wait, so many and no more; the others are counted as lost', async () => {
  let away = true
  const { sent, lost, reporting } = start(async () => {
    if (away) throw new Fault('unavailable')
  })
  await vi.advanceTimersByTimeAsync(2_000 * 1_000)
  away = false
  await reporting[Symbol.asyncDispose]()
  expect(sent.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, n) => 941 + n))
  expect(await lost()).toBe(941)
})

test('a receiver that does not answer holds up one report at a time, and nobody else', async () => {
  const answers: (() => void)[] = []
  const { sent, reporting } = start(() => new Promise((resolve) => answers.push(resolve)))
  await vi.advanceTimersByTimeAsync(20_000)
  expect(answers).toHaveLength(1)
  answers[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(answers).toHaveLength(2)
  expect(sent).toHaveLength(1)
  const ended = reporting[Symbol.asyncDispose]()
  while (sent.length < 11) {
    for (const answer of answers) answer()
    await vi.advanceTimersByTimeAsync(0)
  }
  await ended
})

test('a report that the receiver fails at is given up, and those behind it are delivered', async () => {
  let asked = 0
  const { sent, lost, reporting } = start(async () => {
    if (asked++ === 0) throw new RemoteDefect('console.reportCalls')
  })
  await vi.advanceTimersByTimeAsync(4_000)
  expect(sent.map(({ number }) => number)).toEqual([1])
  expect(await lost()).toBe(1)
  await reporting[Symbol.asyncDispose]()
})

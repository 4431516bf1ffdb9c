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

/** Reports consecutive numbers to a receiver that can be unavailable. */
function start(reply: () => Promise<void>) {
  const sent: (Report & ReportId)[] = []
  const registry = new Registry()
  let number = 0
  const reporting = startReporting<Report>({
    take: () => [{ number: number++ }],
    async send(report) {
      await reply()
      sent.push(report)
    },
    logger: pino({ level: 'silent' }),
    registry,
  })
  const lost = async () => (await registry.getSingleMetric('sociallogin_reports_lost_total')?.get())?.values[0]?.value
  return { sent, lost, reporting }
}

test('reports are delivered in order, each with its own ID, and the last ones on disposal', async () => {
  const { sent, reporting } = start(async () => {})
  await vi.advanceTimersByTimeAsync(6_000)
  await reporting[Symbol.asyncDispose]()
  expect(sent.map(({ number, sequence }) => [number, sequence])).toEqual([0, 1, 2, 3].map((n) => [n, n]))
  expect(new Set(sent.map(({ source }) => source)).size).toBe(1)
})

test('while the receiver is unavailable, the newest reports are pending up to a limit; the others are counted as lost', async () => {
  let isUnavailable = true
  const { sent, lost, reporting } = start(async () => {
    if (isUnavailable) throw new Fault('unavailable')
  })
  await vi.advanceTimersByTimeAsync(2_000 * 1_000)
  isUnavailable = false
  await reporting[Symbol.asyncDispose]()
  expect(sent.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, n) => 941 + n))
  expect(await lost()).toBe(941)
})

test('a receiver that does not respond delays one report at a time, and nothing else', async () => {
  const pendingReplies: (() => void)[] = []
  const { sent, reporting } = start(() => new Promise((resolve) => pendingReplies.push(resolve)))
  await vi.advanceTimersByTimeAsync(20_000)
  expect(pendingReplies).toHaveLength(1)
  pendingReplies[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(pendingReplies).toHaveLength(2)
  expect(sent).toHaveLength(1)
  const ended = reporting[Symbol.asyncDispose]()
  while (sent.length < 11) {
    for (const reply of pendingReplies) reply()
    await vi.advanceTimersByTimeAsync(0)
  }
  await ended
})

test('a report that makes the receiver fail is dropped, and the following ones are delivered', async () => {
  let callCount = 0
  const { sent, lost, reporting } = start(async () => {
    if (callCount++ === 0) throw new RemoteDefect('console.reportCalls')
  })
  await vi.advanceTimersByTimeAsync(4_000)
  expect(sent.map(({ number }) => number)).toEqual([1])
  expect(await lost()).toBe(1)
  await reporting[Symbol.asyncDispose]()
})

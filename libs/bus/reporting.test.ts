import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Fault } from '#contracts'
import { RemoteDefect } from './client.ts'
import { type ReportId, startReporting } from './reporting.ts'

type Report = { readonly number: number }

/** Reports consecutive numbers, often, to a receiver that can be unavailable. */
function start(reply: () => Promise<void>) {
  const sent: (Report & ReportId)[] = []
  const registry = new Registry()
  let taken = 0
  const reporting = startReporting<Report>({
    take: () => [{ number: taken++ }],
    async send(report) {
      await reply()
      sent.push(report)
    },
    logger: pino({ level: 'silent' }),
    registry,
    intervalMs: 1,
  })
  const lost = async () => (await registry.getSingleMetric('sociallogin_reports_lost_total')?.get())?.values[0]?.value
  return { sent, lost, countTaken: () => taken, reporting }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

test('reports are delivered in order, each with its own ID, and the last ones on disposal', async () => {
  const { sent, countTaken, reporting } = start(async () => {})
  await expect.poll(() => sent.length).toBeGreaterThan(2)
  await reporting[Symbol.asyncDispose]()
  expect(sent.map(({ number, sequence }) => [number, sequence])).toEqual(numbers(0, countTaken()).map((n) => [n, n]))
  expect(new Set(sent.map(({ source }) => source)).size).toBe(1)
})

test('while the receiver is unavailable, the newest reports are pending up to a limit; the others are counted as lost', async () => {
  let isUnavailable = true
  const { sent, lost, countTaken, reporting } = start(async () => {
    if (isUnavailable) throw new Fault('unavailable')
  })
  await expect.poll(countTaken).toBeGreaterThan(200)
  isUnavailable = false
  await reporting[Symbol.asyncDispose]()
  const pending = sent.length
  expect(sent.map(({ number }) => number)).toEqual(numbers(countTaken() - pending, countTaken()))
  expect([pending, await lost()]).toEqual([60, countTaken() - 60])
})

test('a receiver that does not respond delays one report at a time, and nothing else', async () => {
  const pendingReplies: (() => void)[] = []
  const { sent, countTaken, reporting } = start(() => new Promise((resolve) => pendingReplies.push(resolve)))
  await expect.poll(countTaken).toBeGreaterThan(10)
  expect(pendingReplies).toHaveLength(1)
  pendingReplies[0]?.()
  await expect.poll(() => pendingReplies.length).toBe(2)
  expect(sent).toHaveLength(1)
  let hasEnded = false
  const ended = reporting[Symbol.asyncDispose]().then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    for (const reply of pendingReplies) reply()
    await turn()
  }
  await ended
  expect(sent.at(-1)?.number).toBe(countTaken() - 1)
})

test('a report that makes the receiver fail is dropped, and the following ones are delivered', async () => {
  let callCount = 0
  const { sent, lost, reporting } = start(async () => {
    if (callCount++ === 0) throw new RemoteDefect('console.reportCalls')
  })
  await expect.poll(() => sent.length).toBeGreaterThan(0)
  expect(sent[0]?.number).toBe(1)
  expect(await lost()).toBe(1)
  await reporting[Symbol.asyncDispose]()
})

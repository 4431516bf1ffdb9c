import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startCleanup } from './cleanup.ts'
import { createLogger } from './logger.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

test('runs every minute and reports the time of the last success; a failure does not change it', async () => {
  const registry = new Registry()
  const cleanup = vi.fn(async () => {})
  using _ = startCleanup('usage', cleanup, { logger: createLogger('test', 'silent'), registry })
  const readMetric = async () => {
    const [metric] = await registry.getMetricsAsJSON()
    return metric?.values.map(({ labels, value }) => [labels.cleanup, value])
  }
  expect(await readMetric()).toEqual([['usage', 1_000]])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(cleanup).toHaveBeenCalledTimes(1)
  expect(await readMetric()).toEqual([['usage', 1_060]])

  cleanup.mockRejectedValueOnce(new Error('a lock was held'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await readMetric()).toEqual([['usage', 1_060]])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await readMetric()).toEqual([['usage', 1_180]])
})

test('stops when disposed', async () => {
  const cleanup = vi.fn(async () => {})
  startCleanup('usage', cleanup, { logger: createLogger('test', 'silent'), registry: new Registry() })[Symbol.dispose]()
  await vi.advanceTimersByTimeAsync(180_000)
  expect(cleanup).not.toHaveBeenCalled()
})

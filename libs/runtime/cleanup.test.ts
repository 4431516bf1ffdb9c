import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { startCleanup } from './cleanup.ts'
import { createLogger } from './logger.ts'

/** Runs often. `runs` are the deletions that were started, which the test ends. */
function start() {
  const registry = new Registry()
  const runs: PromiseWithResolvers<void>[] = []
  const deleteExpired = () => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  }
  const options = { logger: createLogger('test', 'silent'), registry, intervalMs: 1 }
  const cleanup = startCleanup('usage', deleteExpired, options)
  const readSuccess = async () => {
    const [metric] = await registry.getMetricsAsJSON()
    return metric?.values.map(({ labels, value }) => ({ name: labels.cleanup, at: value }))
  }
  return { cleanup, runs, readSuccess }
}

test('runs regularly and reports the time of the last success; a failure does not change it', async () => {
  const { cleanup, runs, readSuccess } = start()
  using _ = cleanup
  const started = await readSuccess()
  expect(started).toEqual([{ name: 'usage', at: expect.any(Number) }])
  await expect.poll(() => runs.length).toBeGreaterThan(1)
  runs[0]?.reject(new Error('a lock was held'))
  await runs[0]?.promise.catch(() => {})
  expect(await readSuccess()).toEqual(started)
  runs[1]?.resolve()
  await expect.poll(readSuccess).not.toEqual(started)
})

test('stops when disposed', async () => {
  const { cleanup, runs } = start()
  await expect.poll(() => runs.length).toBeGreaterThan(0)
  cleanup[Symbol.dispose]()
  const { length } = runs
  // Another cleanup, which was started later, has run.
  const later = start()
  await expect.poll(() => later.runs.length).toBeGreaterThan(1)
  later.cleanup[Symbol.dispose]()
  expect(runs).toHaveLength(length)
})

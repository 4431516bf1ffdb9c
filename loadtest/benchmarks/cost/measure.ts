import { setTimeout as delay } from 'node:timers/promises'
import type { PreparedSite } from '../../seed/prepared.ts'
import type { CostCase } from './cases.ts'
import type { Meter, Reading } from './meter.ts'

const warmUpTimes = 100
const atOnce = 4
/** How long the idle services are measured, to exclude periodic work from the cost of a call. */
const idleMs = 10_000
/** Usage reports, jobs and log lines of the calls are complete by then. */
const settleMs = 2_500

/** Consumption per idle second. */
export async function measureIdle(meter: Meter): Promise<Reading> {
  const before = await meter.read()
  await delay(idleMs)
  const after = await meter.read()
  return new Map([...after].map(([name, value]) => [name, (value - (before.get(name) ?? 0)) / (idleMs / 1_000)]))
}

/** Consumption per run, without periodic work. */
export async function measureCase(
  { times, beforehand, once }: CostCase,
  { meter, site, idle }: { meter: Meter; site: PreparedSite; idle: Reading },
): Promise<Reading> {
  const rounds = warmUpTimes + times
  const created: (string | undefined)[] = []
  for (let n = 0; n < rounds; n++) created.push(await beforehand?.(site))
  await inParallel(0, warmUpTimes, (n) => once(site, n, created[n]))
  await delay(settleMs)
  const before = await meter.read()
  const began = performance.now()
  await inParallel(warmUpTimes, rounds, (n) => once(site, n, created[n]))
  await delay(settleMs)
  const after = await meter.read()
  const seconds = (performance.now() - began) / 1_000
  return new Map(
    [...after].map(([name, value]) => {
      const used = value - (before.get(name) ?? 0) - (idle.get(name) ?? 0) * seconds
      return [name, used / times]
    }),
  )
}

/** Some runs in parallel, as in production. */
async function inParallel(from: number, to: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = from
  const one = async () => {
    while (next < to) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

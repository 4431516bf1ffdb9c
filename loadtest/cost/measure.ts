import { setTimeout as delay } from 'node:timers/promises'
import type { PreparedSite } from '../prepared.ts'
import type { Case } from './cases.ts'
import type { Meter, Reading } from './meter.ts'

const warmUpTimes = 100
const atOnce = 4
/** So long the services are watched doing nothing: what they use by the clock is no cost of a call. */
const idleMs = 10_000
/** Reports of usage, jobs and log lines that belong to the calls are written by then. */
const settleMs = 2_500

/** Used by a second of doing nothing. */
export async function measureIdle(meter: Meter): Promise<Reading> {
  const before = await meter.read()
  await delay(idleMs)
  const after = await meter.read()
  return new Map([...after].map(([name, value]) => [name, (value - (before.get(name) ?? 0)) / (idleMs / 1_000)]))
}

/** Used by one time, beyond what is used by the clock. */
export async function measureCase(
  { times, beforehand, once }: Case,
  { meter, site, idle }: { meter: Meter; site: PreparedSite; idle: Reading },
): Promise<Reading> {
  const rounds = warmUpTimes + times
  const made: (string | undefined)[] = []
  for (let n = 0; n < rounds; n++) made.push(await beforehand?.(site))
  await inParallel(0, warmUpTimes, (n) => once(site, n, made[n]))
  await delay(settleMs)
  const before = await meter.read()
  const began = performance.now()
  await inParallel(warmUpTimes, rounds, (n) => once(site, n, made[n]))
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

/** A few at a time, as there are always some on their way. */
async function inParallel(from: number, to: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = from
  const one = async () => {
    while (next < to) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

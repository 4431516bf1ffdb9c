import { setTimeout as delay } from 'node:timers/promises'
import { readSamples } from './samples.ts'
import type { Member } from './stack/fleet.ts'

/** What a service held early in a run, after it had warmed up, and what in its last quarter: medians, all its processes together. */
export interface Growth {
  readonly service: string
  readonly what: string
  readonly early: number
  readonly late: number
}

/** What may not grow without an end, by metric: what to call it, and how much one of it is. */
const watched = {
  process_resident_memory_bytes: { what: 'memory, MiB', unit: 2 ** 20 },
  process_open_fds: { what: 'open files and connections', unit: 1 },
} as const

type Watched = keyof typeof watched

const metrics = Object.keys(watched) as Watched[] // the keys of the object above

/** A service that holds so many times as much late in a run as early holds on to what it should let go. */
const allowedRatio = 1.5

const readings = 40

/** Reads what services hold at even intervals until the signal says that the run has ended. */
export async function watchGrowth(
  members: () => readonly Member[],
  { minutes, signal }: { minutes: number; signal: AbortSignal },
): Promise<readonly Growth[]> {
  const read: (readonly Held[])[] = []
  const next = () => delay((minutes * 60_000) / readings, true, { signal }).catch(() => false)
  while (await next()) read.push(await readHeld(members()))
  return growthOf(read)
}

/** What all processes of a service hold at a moment. */
export interface Held {
  readonly service: string
  readonly metric: Watched
  readonly value: number
}

/** Compares the second quarter of the readings with the last. */
export function growthOf(read: readonly (readonly Held[])[]): readonly Growth[] {
  const quarter = Math.floor(read.length / 4)
  const early = read.slice(quarter, 2 * quarter)
  const late = read.slice(-quarter)
  if (quarter === 0) return []
  return (read.at(-1) ?? []).map(({ service, metric }) => {
    const { what, unit } = watched[metric]
    const held = (moments: readonly (readonly Held[])[]) =>
      median(moments.flat().flatMap((one) => (one.service === service && one.metric === metric ? [one.value] : [])))
    return { service, what, early: held(early) / unit, late: held(late) / unit }
  })
}

/** What does not hold, a sentence each. */
export function judgeGrowth(growth: readonly Growth[]): readonly string[] {
  if (growth.length === 0) return ['What the services held could not be read often enough.']
  return growth
    .filter(({ early, late }) => !(late <= early * allowedRatio))
    .map(({ service, what, early, late }) => `${service} grew: ${what} from ${early.toFixed(0)} to ${late.toFixed(0)}.`)
}

async function readHeld(members: readonly Member[]): Promise<readonly Held[]> {
  const read = await Promise.all(
    members.map(async (member) => {
      const samples = await readSamples(member)
      return metrics.map((metric) => ({
        service: member.service,
        metric,
        value: samples.find(({ name }) => name === metric)?.value ?? Number.NaN,
      }))
    }),
  )
  const all = new Map<string, Held>()
  for (const one of read.flat()) {
    const key = `${one.service} ${one.metric}`
    all.set(key, { ...one, value: one.value + (all.get(key)?.value ?? 0) })
  }
  return [...all.values()]
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

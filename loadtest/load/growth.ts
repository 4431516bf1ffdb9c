import { setTimeout as delay } from 'node:timers/promises'
import { readSamples } from '../toolkit/samples.ts'
import type { FleetProcess } from '../toolkit/stack/fleet.ts'

/** Medians of a service's consumption early in a run, after warm-up, and in the last quarter, for all its processes. */
export interface Growth {
  readonly service: string
  readonly what: string
  readonly early: number
  readonly late: number
}

/** Metrics that must not grow without limit, with label and unit. */
const watched = {
  process_resident_memory_bytes: { what: 'memory, MiB', unit: 2 ** 20 },
  process_open_fds: { what: 'open files and connections', unit: 1 },
} as const

type Watched = keyof typeof watched

const metrics = Object.keys(watched) as Watched[] // the keys of the object above

/** A service whose consumption grows by this factor during a run has a leak. */
const allowedRatio = 1.5

const readings = 40

/** Reads the consumption of services at regular intervals until the signal aborts. */
export async function watchGrowth(
  members: () => readonly FleetProcess[],
  { minutes, signal }: { minutes: number; signal: AbortSignal },
): Promise<readonly Growth[]> {
  const read: (readonly Consumption[])[] = []
  const next = () => delay((minutes * 60_000) / readings, true, { signal }).catch(() => false)
  while (await next()) read.push(await readHeld(members()))
  return computeGrowth(read)
}

/** The current consumption of all processes of a service. */
export interface Consumption {
  readonly service: string
  readonly metric: Watched
  readonly value: number
}

/** Compares the second quarter of the readings with the last. */
export function computeGrowth(read: readonly (readonly Consumption[])[]): readonly Growth[] {
  const quarter = Math.floor(read.length / 4)
  const early = read.slice(quarter, 2 * quarter)
  const late = read.slice(-quarter)
  if (quarter === 0) return []
  return (read.at(-1) ?? []).map(({ service, metric }) => {
    const { what, unit } = watched[metric]
    const held = (moments: readonly (readonly Consumption[])[]) =>
      median(moments.flat().flatMap((one) => (one.service === service && one.metric === metric ? [one.value] : [])))
    return { service, what, early: held(early) / unit, late: held(late) / unit }
  })
}

/** The failed checks, one sentence each. */
export function checkGrowth(growth: readonly Growth[]): readonly string[] {
  if (growth.length === 0) return ['What the services held could not be read often enough.']
  return growth
    .filter(({ early, late }) => !(late <= early * allowedRatio))
    .map(({ service, what, early, late }) => `${service} grew: ${what} from ${early.toFixed(0)} to ${late.toFixed(0)}.`)
}

async function readHeld(members: readonly FleetProcess[]): Promise<readonly Consumption[]> {
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
  const all = new Map<string, Consumption>()
  for (const one of read.flat()) {
    const key = `${one.service} ${one.metric}`
    all.set(key, { ...one, value: one.value + (all.get(key)?.value ?? 0) })
  }
  return [...all.values()]
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

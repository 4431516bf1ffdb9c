import type { Arm, SliceLoad } from './arm.ts'
import { type CpuReading, measureIdleArms, measureSlice, type SliceResult } from './slice.ts'
import { geometricMean, type RatioSummary, summarizeRatios } from './statistics.ts'

/** How a comparison is measured. */
export interface BlockPlan {
  readonly blocks: number
  readonly load: SliceLoad
  /** Time under load before the first block. */
  readonly warm_up_ms: number
  readonly note: (text: string) => void
  readonly signal: AbortSignal
}

/** The slices of each arm, by block. */
export interface ArmMeasurement {
  readonly name: string
  readonly blocks: readonly (readonly SliceResult[])[]
}

/** While arms warm up. With one request in flight, V8 would still compile their code when they are measured. */
const warmUpInFlight = 8

/**
 * Measures arms in turns: every block has each arm twice, in one order and then in the other (A B B A), so that a steady
 * change of the machine affects all arms alike.
 */
export async function measureBlocks(
  arms: readonly Arm[],
  { blocks, load, warm_up_ms, note, signal }: BlockPlan,
): Promise<readonly ArmMeasurement[]> {
  for (const arm of arms) {
    signal.throwIfAborted()
    note(`warming up ${arm.name}`)
    await arm.drive(
      { ...load, in_flight: Math.max(load.in_flight, warmUpInFlight), lead_ms: 0, duration_ms: warm_up_ms },
      () => {},
    )
  }
  note('idle')
  const idle = await measureIdleArms(arms)

  const measured = arms.map(({ name }) => ({ name, blocks: [] as SliceResult[][] }))
  for (let block = 0; block < blocks; block++) {
    const order = block % 2 === 0 ? [...arms.keys()] : [...arms.keys()].toReversed()
    const slices = arms.map((): SliceResult[] => [])
    for (const n of [...order, ...order.toReversed()]) {
      const arm = arms[n]
      if (arm === undefined) continue
      signal.throwIfAborted()
      note(`block ${block + 1} of ${blocks}: ${arm.name}`)
      slices[n]?.push(await measureSlice(arm, load, idle.get(arm) ?? new Map()))
    }
    for (const [n, { blocks }] of measured.entries()) blocks.push(slices[n] ?? [])
  }
  return measured
}

/** The ratio of the CPU time of two arms in each block, summarized. */
export function compareArms(of: ArmMeasurement, to: ArmMeasurement): RatioSummary {
  return compareToSum(of, [to])
}

/** The ratio of an arm's CPU time to that of several arms together, which each do a part of its work. */
export function compareToSum(of: ArmMeasurement, parts: readonly ArmMeasurement[]): RatioSummary {
  return summarizeRatios(
    of.blocks.map((slices, n) => {
      const sum = parts.reduce((total, { blocks }) => total + cpuPerRequest(blocks[n] ?? []), 0)
      return cpuPerRequest(slices) / sum
    }),
  )
}

/** CPU microseconds per request of all processes of an arm. */
export function cpuPerRequest(slices: readonly SliceResult[]): number {
  const cpu = slices.reduce((sum, slice) => sum + [...slice.cpu.values()].reduce((all, one) => all + one, 0), 0)
  return (cpu * 1e6) / countCompleted(slices)
}

/** CPU microseconds per request by process. */
export function cpuByProcess({ blocks }: ArmMeasurement): CpuReading {
  const slices = blocks.flat()
  const total = new Map<string, number>()
  for (const { cpu } of slices) for (const [name, used] of cpu) total.set(name, (total.get(name) ?? 0) + used)
  return new Map([...total].map(([name, used]) => [name, (used * 1e6) / countCompleted(slices)]))
}

export function throughputOf(slices: readonly SliceResult[]): number {
  return countCompleted(slices) / slices.reduce((sum, { seconds }) => sum + seconds, 0)
}

/** The geometric mean of a time over all slices. */
export function typicalTime({ blocks }: ArmMeasurement, which: 'p50_ms' | 'p99_ms'): number {
  return geometricMean(blocks.flat().map((slice) => slice[which]))
}

/** As `typicalTime`, by operation: median and 99th percentile in milliseconds. */
export function typicalTimesByOperation({ blocks }: ArmMeasurement): ReadonlyMap<string, readonly [number, number]> {
  const slices = blocks.flat().map(({ operations }) => operations)
  const names = new Set(slices.flatMap((operations) => Object.keys(operations)))
  const typical = (name: string, which: 'p50_ms' | 'p99_ms') =>
    geometricMean(slices.flatMap((operations) => operations[name]?.[which] ?? []))
  return new Map([...names].map((name) => [name, [typical(name, 'p50_ms'), typical(name, 'p99_ms')]]))
}

function countCompleted(slices: readonly SliceResult[]): number {
  return slices.reduce((sum, { completed }) => sum + completed, 0)
}

import { setTimeout as delay } from 'node:timers/promises'
import { processorSecondsOf } from '../../../toolkit/processor-time.ts'
import type { LoadResult } from '../generator/protocol.ts'
import type { Arm, CountedProcess, SliceLoad } from './arm.ts'

/** CPU seconds by process name. */
export type CpuReading = ReadonlyMap<string, number>

/** One arm under load for some seconds. */
export interface SliceResult extends LoadResult {
  /** Without the consumption of the idle processes in this time. */
  readonly cpu: CpuReading
}

/** Log lines of the last requests are written by then. */
const usualSettleMs = 200
const idleMs = 3_000

/** CPU seconds per second of each arm without load, which is subtracted from slices. */
export async function measureIdleArms(arms: readonly Arm[]): Promise<ReadonlyMap<Arm, CpuReading>> {
  const read = () => arms.map((arm) => readCpu(arm.processes()))
  const before = read()
  const beganAt = performance.now()
  await delay(idleMs)
  const seconds = (performance.now() - beganAt) / 1_000
  const after = read()
  return new Map(
    arms.map((arm, n) => {
      const used = subtract(after[n] ?? new Map(), before[n] ?? new Map())
      return [arm, new Map([...used].map(([name, one]) => [name, one / seconds]))]
    }),
  )
}

export async function measureSlice(arm: Arm, load: SliceLoad, idle: CpuReading): Promise<SliceResult> {
  const processes = arm.processes()
  let before: CpuReading = new Map()
  let beganAt = 0
  const result = await arm.drive(load, () => {
    before = readCpu(processes)
    beganAt = performance.now()
  })
  if (result.completed === 0) throw new Error(`${arm.name} completed no request.`)
  await delay(load.settle_ms ?? usualSettleMs)
  const used = subtract(readCpu(processes), before)
  const elapsed = (performance.now() - beganAt) / 1_000
  const cpu = new Map([...used].map(([name, one]) => [name, Math.max(0, one - (idle.get(name) ?? 0) * elapsed)]))
  return { ...result, cpu }
}

function readCpu(processes: readonly CountedProcess[]): CpuReading {
  const reading = new Map<string, number>()
  const seconds = processorSecondsOf(processes.map(({ pid }) => pid))
  for (const [n, { name }] of processes.entries()) {
    reading.set(name, (reading.get(name) ?? 0) + (seconds[n] ?? Number.NaN))
  }
  for (const [name, value] of reading)
    if (Number.isNaN(value)) throw new Error(`The CPU time of ${name} cannot be read.`)
  return reading
}

function subtract(after: CpuReading, before: CpuReading): CpuReading {
  return new Map([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)]))
}

import {
  type ArmMeasurement,
  compareArms,
  cpuByProcess,
  cpuPerRequest,
  throughputOf,
  typicalTime,
} from '../measurement/blocks.ts'
import type { BenchTable } from '../report/bench-report.ts'
import { formatNumber, formatRatio } from '../report/format.ts'

/** The arm of this name. */
export function findArm(measured: readonly ArmMeasurement[], name: string): ArmMeasurement {
  const arm = measured.find((one) => one.name === name)
  if (arm === undefined) throw new Error(`${name} was not measured.`)
  return arm
}

/** A table of arms: CPU time, throughput and times, and the ratio of the first arm's CPU time to each other one's. */
export function tabulateArms(title: string, measured: readonly ArmMeasurement[]): BenchTable {
  const [first, ...others] = measured
  const ratioTo = (arm: ArmMeasurement) => {
    if (first === undefined || others.length === 0) return []
    return [arm === first ? '1' : formatRatio(compareArms(first, arm))]
  }
  return {
    head: [
      title,
      'CPU µs per request',
      'requests per second',
      'p50, ms',
      'p99, ms',
      ...(others.length === 0 ? [] : [`CPU of ${first?.name} to it`]),
    ],
    rows: measured.map((arm) => {
      const slices = arm.blocks.flat()
      return [
        arm.name,
        formatNumber(cpuPerRequest(slices)),
        formatNumber(throughputOf(slices)),
        formatNumber(typicalTime(arm, 'p50_ms')),
        formatNumber(typicalTime(arm, 'p99_ms')),
        ...ratioTo(arm),
      ]
    }),
  }
}

/** A table of where the CPU time of a request is spent, by arm and process. */
export function tabulateProcesses(title: string, measured: readonly ArmMeasurement[]): BenchTable {
  const readings = measured.map((arm) => cpuByProcess(arm))
  const used = [...new Set(readings.flatMap((reading) => [...reading.keys()]))].filter((name) =>
    readings.some((reading) => (reading.get(name) ?? 0) >= leastShown),
  )
  return {
    head: [title, ...used],
    rows: measured.map(({ name }, n) => [
      name,
      ...used.map((process) => formatNumber(readings[n]?.get(process) ?? Number.NaN)),
    ]),
  }
}

/** Processes that use less than this many microseconds in every arm are not shown. */
const leastShown = 1

/** Arms that are the same must differ by less. */
const controlTolerance = 0.03

/** A warning if the ratio of an arm to itself is not 1. */
export function judgeControl(what: string, measured: readonly ArmMeasurement[], arm: string, again: string): string[] {
  const ratio = compareArms(findArm(measured, again), findArm(measured, arm))
  if (Math.abs(ratio.mean - 1) <= controlTolerance) return []
  return [
    `${what}: the same arm measured twice differs by a factor of ${formatRatio(ratio)}, more than ${controlTolerance * 100} %. Read nothing into smaller differences of this comparison.`,
  ]
}

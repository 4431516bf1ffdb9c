import { availableParallelism } from 'node:os'
import type { BenchPart } from '../bench.ts'
import { createMixedRequests } from '../data/mixed-requests.ts'
import { createHttpArm } from '../measurement/arm.ts'
import {
  type ArmMeasurement,
  cpuPerRequest,
  throughputOf,
  typicalTime,
  typicalTimesByOperation,
} from '../measurement/blocks.ts'
import { formatNumber } from '../report/format.ts'
import { tabulateArms, tabulateProcesses } from './figures.ts'

const gateways = 2
const inFlight = 64
const connections = 256
const shareOfCapacity = 0.7

const leastThroughput = 3_000
const mostSpread = 5

/** Throughput of the usual mix of operations, and how long requests take below it. */
export const mix: BenchPart = {
  name: 'mix',
  summary: 'the mix of `many_keys` with two gateways: throughput, and times at 70 % of it',
  async run({ startProduct, generator, compare }) {
    await using product = await startProduct('mix', { gateways })
    await generator.prepare('mix', createMixedRequests(product.prepared.sites))
    const arm = createHttpArm(generator, {
      name: 'ours',
      workload: 'mix',
      processes: product.processes,
      addresses: product.gateways,
    })
    const full = await compare(`mix, ${inFlight} in flight`, [arm], { in_flight: inFlight })
    const capacity = throughputOf(full.flatMap(({ blocks }) => blocks.flat()))
    const rate = capacity * shareOfCapacity
    const below = await compare(`mix, ${Math.round(rate)} a second`, [arm], { in_flight: connections, rate })
    const [atRate] = below
    if (atRate === undefined) throw new Error('The mix was not measured.')
    const [p50, p99] = [typicalTime(atRate, 'p50_ms'), typicalTime(atRate, 'p99_ms')]
    const byOperation = [...typicalTimesByOperation(atRate)]
      .map(([path, times]): OperationTimes => [`\`${path.replace(/^\/api\//, '')}\``, times])
      .toSorted(([, [, a]], [, [, b]]) => b - a)
    return [
      {
        title: 'The mix of `many_keys`',
        text: [
          `The operations of the load test \`many_keys\` with ${gateways} gateways, one process of every other service, Postgres, Redis, NATS and the load generator on this machine. The second table is at ${shareOfCapacity * 100} % of that throughput, with requests sent regardless of responses; their times begin when they are due.`,
        ],
        tables: [
          tabulateArms(`${inFlight} in flight`, full),
          tabulateArms(`${formatNumber(rate)} requests per second`, below),
          {
            head: [`${formatNumber(rate)} requests per second`, 'p50, ms', 'p99, ms', 'p99 : p50'],
            rows: byOperation.map(([operation, [p50, p99]]) => [operation, ...[p50, p99, p99 / p50].map(formatNumber)]),
          },
          tabulateProcesses('µs by process', full),
        ],
        targets: [
          {
            what: 'mix of `many_keys`, generator on the same machine',
            value: capacity,
            limit: { at_least: leastThroughput },
            unit: '/s',
          },
          {
            what: `p99 : p50 at ${shareOfCapacity * 100} % of capacity`,
            value: p99 / p50,
            limit: { at_most: mostSpread },
            reason: `${describeCores(full, below)} ${describeTimes(byOperation)}`,
          },
        ],
        warnings: [],
      },
    ]
  },
}

function describeCores(full: readonly ArmMeasurement[], below: readonly ArmMeasurement[]): string {
  const toSlices = (measured: readonly ArmMeasurement[]) => measured.flatMap(({ blocks }) => blocks.flat())
  const [atFull, atRate] = [toSlices(full), toSlices(below)]
  const cores = (cpuPerRequest(atRate) * throughputOf(atRate)) / 1e6
  return `A request takes ${formatNumber(cpuPerRequest(atRate))} µs of CPU time at this rate, ${formatNumber(cpuPerRequest(atFull))} at full load, because fewer calls are sent in one message: the product uses ${formatNumber(cores)} of ${availableParallelism()} cores, and the generator some of the rest.`
}

/** An operation with its median and 99th percentile in milliseconds. */
type OperationTimes = readonly [string, readonly [number, number]]

function describeTimes(times: readonly OperationTimes[]): string {
  const described = times.map(([operation, [p50, p99]]) => `${operation} ${formatNumber(p50)} and ${formatNumber(p99)}`)
  return `The p50 and p99 by operation in ms: ${described.join(', ')}`
}

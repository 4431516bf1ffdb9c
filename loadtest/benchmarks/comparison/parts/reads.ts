import type { Bench, BenchPart } from '../bench.ts'
import { createReadRequests, type ReadOperation } from '../data/read-requests.ts'
import { type Arm, createHttpArm } from '../measurement/arm.ts'
import { type ArmMeasurement, compareArms, cpuPerRequest } from '../measurement/blocks.ts'
import { type BenchReport, nameProfile } from '../report/bench-report.ts'
import { formatRatio } from '../report/format.ts'
import { findArm, judgeControl, tabulateArms, tabulateProcesses } from './figures.ts'
import { loadLevels } from './load-levels.ts'

const operations = ['providers_of_user', 'profile'] as const satisfies readonly ReadOperation[]
const questions: Readonly<Record<ReadOperation, string>> = { providers_of_user: 'one call', profile: 'two calls' }

const ours = 'ours'
const oursAgain = 'ours again'
const stock = 'stock chain'
const skeleton = 'skeleton'

const mostOfStock = 0.5
const mostOfSkeleton = 1.3

/** Keyed reads against the stock chain and the skeleton. */
export const reads: BenchPart = {
  name: 'reads',
  summary: 'reads of the Web API against the stock chain and the skeleton, with 1, 8 and 64 requests in flight',
  async run(bench) {
    const armsOf = await startArms(bench)
    const reports: BenchReport[] = []
    for (const operation of operations) {
      const arms = await armsOf(operation)
      const measured = new Map<number, readonly ArmMeasurement[]>()
      for (const level of loadLevels) {
        measured.set(level, await bench.compare(`${operation}, ${level} in flight`, arms, { in_flight: level }))
      }
      reports.push(report(operation, measured))
    }
    return reports
  },
}

async function startArms({
  generator,
  product,
  baselines,
}: Bench): Promise<(operation: ReadOperation) => Promise<readonly Arm[]>> {
  const { prepared, serviceStack, processes, gateways } = await product()
  const { start } = await baselines()
  const stockChain = await start([
    { name: 'users', script: 'stock/users.ts' },
    { name: 'profiles', script: 'stock/profiles.ts' },
    { name: 'gateway', script: 'stock/gateway.ts' },
  ])
  const leanest = await start([
    { name: 'service', script: 'skeleton/service.ts' },
    { name: 'gateway', script: 'skeleton/gateway.ts' },
  ])
  const identityUrl = serviceStack.wiring.database_urls.get('identity') ?? ''
  return async (operation) => {
    await generator.prepare(operation, await createReadRequests(identityUrl, prepared.sites, operation))
    const arm = (name: string, parts: Pick<Arm, 'processes'> & { addresses: () => readonly string[] }) =>
      createHttpArm(generator, { name, workload: operation, ...parts })
    const product = { processes, addresses: gateways }
    return [arm(ours, product), arm(stock, stockChain), arm(skeleton, leanest), arm(oursAgain, product)]
  }
}

function report(operation: ReadOperation, measured: ReadonlyMap<number, readonly ArmMeasurement[]>): BenchReport {
  const levels = [...measured]
  const ratios = levels.map(([level, arms]) => {
    const compare = (other: string) => compareArms(findArm(arms, ours), findArm(arms, other))
    return {
      level,
      stock: compare(stock),
      skeleton: compare(skeleton),
      control: compareArms(findArm(arms, oursAgain), findArm(arms, ours)),
    }
  })
  return {
    title: `\`${operation}\`, ${questions[operation]} over the bus`,
    text: [
      'Ratios of CPU time per request of all processes, with the 95 % interval of their mean. The control is ours measured twice.',
    ],
    tables: [
      {
        head: ['In flight', 'ours : stock chain', 'ours : skeleton', 'control'],
        rows: ratios.map((one) => [String(one.level), ...[one.stock, one.skeleton, one.control].map(formatRatio)]),
      },
      ...levels.flatMap(([level, arms]) => [
        tabulateArms(`${level} in flight`, arms),
        tabulateProcesses(`µs by process, ${level} in flight`, arms),
      ]),
    ],
    targets: ratios.flatMap((one) => [
      {
        what: `\`${operation}\` : stock chain, ${one.level} in flight`,
        value: one.stock,
        limit: { at_most: mostOfStock },
        profile: nameProfile('api-gateway', 'reads'),
      },
      {
        what: `\`${operation}\` : skeleton, ${one.level} in flight`,
        value: one.skeleton,
        limit: { at_most: mostOfSkeleton },
        profile: nameProfile('api-gateway', 'reads'),
      },
    ]),
    charts: levels.map(([level, arms]) => ({
      name: `${operation.replaceAll('_', '-')}-${level}`,
      title: `${operation}, ${level} in flight`,
      unit: 'CPU µs per request',
      bars: [ours, stock, skeleton].map((name) => ({
        label: name,
        value: cpuPerRequest(findArm(arms, name).blocks.flat()),
      })),
    })),
    warnings: levels.flatMap(([level, arms]) => judgeControl(`${level} in flight`, arms, ours, oursAgain)),
  }
}

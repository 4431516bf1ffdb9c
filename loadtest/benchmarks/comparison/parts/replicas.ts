import type { Bench, BenchPart } from '../bench.ts'
import { createReadRequests } from '../data/read-requests.ts'
import { type Arm, createHttpArm } from '../measurement/arm.ts'
import { type ArmMeasurement, compareArms, throughputOf } from '../measurement/blocks.ts'
import type { Product } from '../product.ts'
import { emptyReport, nameProfile } from '../report/bench-report.ts'
import { formatNumber, formatRatio } from '../report/format.ts'
import { findArm } from './figures.ts'
import { loadLevels } from './load-levels.ts'

const one = '1 replica'
const two = '2 replicas'
const four = '4 replicas'
const mostOfOne = 1.15

/** Whether more replicas make requests dearer. */
export const replicas: BenchPart = {
  name: 'replicas',
  summary: '`profile` with two and four replicas of identity and profile against one, on the same cores',
  async run(bench) {
    const single = await createArm(bench, one, await bench.product())
    await using doubled = await bench.startProduct('two-replicas', { replicas: { identity: 2, profile: 2 } })
    await using quadrupled = await bench.startProduct('four-replicas', { replicas: { identity: 4, profile: 4 } })
    const arms = [await createArm(bench, four, quadrupled), await createArm(bench, two, doubled), single]
    const levels: (readonly [number, readonly ArmMeasurement[]])[] = []
    for (const level of loadLevels)
      levels.push([level, await bench.compare(`replicas, ${level} in flight`, arms, { in_flight: level })])
    const compared = levels.map(([level, measured]) => {
      const ratios = [two, four].map((name) => compareArms(findArm(measured, name), findArm(measured, one)))
      return { level, measured, ratios }
    })
    return [
      {
        ...emptyReport,
        title: 'Replicas of identity and profile',
        text: [
          '`profile`, which calls both. Each arm is a product with its own Postgres, Redis and NATS, with as many users; all run on the same cores.',
        ],
        tables: [
          {
            head: ['In flight', 'CPU, 2 : 1', 'CPU, 4 : 1', 'requests per second with 1', 'with 2', 'with 4'],
            rows: compared.map(({ level, measured, ratios }) => [
              String(level),
              ...ratios.map(formatRatio),
              ...[one, two, four].map((name) => formatNumber(throughputOf(findArm(measured, name).blocks.flat()))),
            ]),
          },
        ],
        targets: compared.flatMap(({ level, ratios }) => {
          return ratios.map((value, n) => ({
            what: `CPU per request, ${[two, four][n]} : 1, ${level} in flight`,
            value,
            limit: { at_most: mostOfOne },
            profile: nameProfile('api-gateway', 'reads'),
          }))
        }),
      },
    ]
  },
}

async function createArm({ generator }: Bench, name: string, product: Product): Promise<Arm> {
  const { prepared, serviceStack, processes, gateways } = product
  const identityUrl = serviceStack.wiring.database_urls.get('identity') ?? ''
  const workload = `profile with ${name}`
  await generator.prepare(workload, await createReadRequests(identityUrl, prepared.sites, 'profile'))
  return createHttpArm(generator, { name, workload, processes, addresses: gateways })
}

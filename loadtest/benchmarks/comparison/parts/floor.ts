import type { Baseline } from '../arms/baselines.ts'
import { createPgbenchArm } from '../arms/floor/pgbench.ts'
import type { Bench, BenchPart } from '../bench.ts'
import { GeneratorReport, type LoadResult } from '../generator/protocol.ts'
import { type Arm, createHttpArm } from '../measurement/arm.ts'
import { type ArmMeasurement, cpuPerRequest } from '../measurement/blocks.ts'
import { emptyReport } from '../report/bench-report.ts'
import { formatNumber } from '../report/format.ts'
import { loadLevels } from './load-levels.ts'

/** Its figures have no target, so that fewer blocks are enough. */
const shareOfBlocks = 1 / 3

const response = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: '{"status":"ok","providers":["messaging","search"]}',
}

/** The cost of each hop without anything else. */
export const floor: BenchPart = {
  name: 'floor',
  summary: 'each hop on its own: node:http, Koa, NATS, a prepared statement, a script in Redis',
  async run(bench) {
    const arms = await startArms(bench)
    const levels = new Map<number, readonly ArmMeasurement[]>()
    const blocks = Math.ceil(bench.size.blocks * shareOfBlocks)
    for (const level of loadLevels)
      levels.set(level, await bench.compare(`floor, ${level} in flight`, arms, { in_flight: level }, blocks))
    const costOf = (level: number, n: number) => cpuPerRequest(levels.get(level)?.[n]?.blocks.flat() ?? [])
    return [
      {
        ...emptyReport,
        title: 'Floor',
        text: [
          'CPU µs of one operation, and the ratio to a request to node:http. The time of the clients of NATS, Redis and Postgres counts, because each hop of a service has one.',
        ],
        tables: [
          {
            head: ['Operation', ...loadLevels.flatMap((level) => [`${level} in flight`, '× node:http'])],
            rows: arms.map(({ name }, n) => [
              name,
              ...loadLevels.flatMap((level) => [
                formatNumber(costOf(level, n)),
                formatNumber(costOf(level, n) / costOf(level, 0)),
              ]),
            ]),
          },
        ],
      },
    ]
  },
}

async function startArms({ generator, baselines, product, directory }: Bench): Promise<readonly Arm[]> {
  const { start } = await baselines()
  const { serviceStack } = await product()
  await generator.prepare('floor', [[{ method: 'GET', path: '/', headers: {}, status: 200, contains: ['"ok"'] }]])
  const environment = { RESPONSE: JSON.stringify(response) }
  const echo = async (name: string, script: string) =>
    createHttpArm(generator, {
      name,
      workload: 'floor',
      ...(await start([{ name, script, environment }], [])),
    })
  const postgres = await start([], ['postgres'])
  const identityUrl = serviceStack.wiring.database_urls.get('identity') ?? ''
  const pgbench = await createPgbenchArm({ directory, identityUrl, processes: postgres.processes })
  const driven = async (name: string, scripts: readonly string[], server: 'postgres' | 'redis' | 'nats') => {
    const processes = scripts.map((script) => ({ name: script, script: `floor/${script}.ts` }))
    const baseline = await start(processes, [server])
    return createDrivenArm(name, baseline)
  }
  return [
    await echo('node:http, constant response', 'floor/http.ts'),
    await echo('Koa, constant response', 'floor/koa.ts'),
    await driven('NATS request and reply, stock client', ['nats-responder', 'nats-requester'], 'nats'),
    await driven('script in Redis, ioredis', ['redis'], 'redis'),
    await driven('prepared look-up, pg', ['postgres'], 'postgres'),
    ...(pgbench === undefined ? [] : [pgbench]),
  ]
}

/** An arm that puts the load on itself: its last process is a driver. */
function createDrivenArm(name: string, { processes, driver }: Baseline): Arm {
  return {
    name,
    processes,
    async drive({ in_flight, lead_ms, duration_ms }, onCounting): Promise<LoadResult> {
      if (driver === undefined) throw new Error(`${name} has no process.`)
      driver.send({ in_flight, lead_ms, duration_ms })
      for (;;) {
        const report = GeneratorReport.parse(await driver.receive())
        if (report.type === 'counting') onCounting()
        if (report.type === 'done') return report.result
        if (report.type === 'failed') throw new Error(`${name}: ${report.reason}`)
      }
    },
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from '#local'
import { type ServiceDescription, services } from '../../../deploy/local/services.ts'
import { processorSeconds, residentBytes } from '../../cost/processor-time.ts'
import type { Bench, BenchPart } from '../bench.ts'
import { createMixedRequests } from '../data/mixed-requests.ts'
import { createHttpArm } from '../measurement/arm.ts'
import { sortedQuantile } from '../measurement/statistics.ts'
import type { Product } from '../product.ts'
import { emptyReport, nameProfile } from '../report/bench-report.ts'
import { formatNumber } from '../report/format.ts'

const starts = 3
const inFlight = 64
const megabyte = 1e6

const mostCpuSeconds = 0.4
const mostFreshMegabytes = 90
const mostLoadedMegabytes = 150

interface Start {
  readonly cpu_seconds: number
  readonly wall_seconds: number
  readonly fresh_bytes: number
}

/** What a process needs to start, and its memory before and after load. */
export const startup: BenchPart = {
  name: 'startup',
  summary: 'CPU time and time until a service is ready; memory of its process when it is ready and after load',
  async run(bench) {
    const product = await bench.product()
    const measured = services.flat().filter(({ name }) => name !== 'provider-simulator')
    const started = new Map<string, Start>()
    for (const service of measured) {
      await bench.step(`start ${service.name}`, async (note) => {
        const all: Start[] = []
        for (let n = 0; n < starts; n++) all.push(await startOnce(service, n, product, bench))
        const typical = typicalStart(all)
        note(`${formatNumber(typical.cpu_seconds)} s of CPU time`)
        started.set(service.name, typical)
      })
    }
    const bare = typicalStart(await Promise.all(Array.from({ length: starts }, () => startEmptyProgram())))
    const loaded = await loadMix(bench, product)
    const rows = measured.map(({ name }) => ({
      name,
      start: started.get(name),
      loaded: loaded.get(name) ?? Number.NaN,
    }))
    const largest = (of: (row: (typeof rows)[number]) => number) => Math.max(...rows.map(of))
    return [
      {
        ...emptyReport,
        title: 'Start and memory',
        text: [
          `Median of ${starts} starts of one more process of each service, next to the running product and from the same bundles as in the image, until \`/readyz\` returns 200. The last row is a program that does nothing, until it runs. Memory is the resident set of the process, which includes shared pages of Node.js. The load is the mix of \`many_keys\`, after the other parts of this run.`,
        ],
        tables: [
          {
            head: [
              'Service',
              'CPU until ready, s',
              'time until ready, s',
              'memory when ready, MB',
              'memory after load, MB',
            ],
            rows: [
              ...rows.map(({ name, start, loaded }) => tabulateStart(name, start, loaded)),
              tabulateStart('Node.js alone', bare),
            ],
          },
        ],
        targets: [
          {
            what: 'CPU to be ready, the service with most',
            value: largest(({ start }) => start?.cpu_seconds ?? Number.NaN),
            limit: { at_most: mostCpuSeconds },
            unit: ' s',
            profile: nameProfile('provider-auth', 'start'),
          },
          {
            what: 'memory of a ready process, the service with most',
            value: largest(({ start }) => start?.fresh_bytes ?? Number.NaN) / megabyte,
            limit: { at_most: mostFreshMegabytes },
            unit: ' MB',
          },
          {
            what: 'memory of a process after load, the service with most',
            value: largest(({ loaded }) => loaded) / megabyte,
            limit: { at_most: mostLoadedMegabytes },
            unit: ' MB',
          },
        ],
      },
    ]
  },
}

function tabulateStart(name: string, start: Start | undefined, loadedBytes = Number.NaN): string[] {
  const { cpu_seconds = Number.NaN, wall_seconds = Number.NaN, fresh_bytes = Number.NaN } = start ?? {}
  return [name, ...[cpu_seconds, wall_seconds, fresh_bytes / megabyte, loadedBytes / megabyte].map(formatNumber)]
}

async function startEmptyProgram(): Promise<Start> {
  const beganAt = performance.now()
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("ready"); process.stdin.resume()'])
  await once(child.stdout, 'data')
  const pid = child.pid ?? Number.NaN
  const start = {
    cpu_seconds: processorSeconds(pid),
    wall_seconds: (performance.now() - beganAt) / 1_000,
    fresh_bytes: residentBytes(pid),
  }
  child.kill()
  return start
}

async function startOnce(
  service: ServiceDescription,
  n: number,
  { serviceStack }: Product,
  { interruption }: Bench,
): Promise<Start> {
  const port = String(await findFreePort())
  const beganAt = performance.now()
  const process = await serviceStack.start({
    ...service,
    name: `${service.name}-start-${n}`,
    environment: (wiring) => ({ ...service.environment(wiring), PORT: port }),
  })
  await process.ready(interruption)
  const start = {
    cpu_seconds: processorSeconds(process.pid),
    wall_seconds: (performance.now() - beganAt) / 1_000,
    fresh_bytes: residentBytes(process.pid),
  }
  await process.stop()
  return start
}

function typicalStart(all: readonly Start[]): Start {
  const median = (of: (start: Start) => number) =>
    sortedQuantile(
      all.map(of).toSorted((a, b) => a - b),
      0.5,
    )
  return {
    cpu_seconds: median((start) => start.cpu_seconds),
    wall_seconds: median((start) => start.wall_seconds),
    fresh_bytes: median((start) => start.fresh_bytes),
  }
}

/** Puts load on the product and returns the memory of each service's largest process in bytes. */
async function loadMix(
  { generator, compare }: Bench,
  { prepared, processes, gateways, serviceStack }: Product,
): Promise<ReadonlyMap<string, number>> {
  const workload = 'mix before memory is read'
  await generator.prepare(workload, createMixedRequests(prepared.sites))
  const arm = createHttpArm(generator, { name: 'ours', workload, processes, addresses: gateways })
  await compare('load', [arm], { in_flight: inFlight })
  const largest = new Map<string, number>()
  for (const { service, pid } of serviceStack.members())
    largest.set(service, Math.max(largest.get(service) ?? 0, residentBytes(pid)))
  return largest
}

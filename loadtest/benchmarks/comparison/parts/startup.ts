import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from '#local'
import { type ServiceDescription, services } from '../../../../deploy/local/services.ts'
import { processorSeconds } from '../../cost/processor-time.ts'
import type { Bench, BenchPart } from '../bench.ts'
import { createMixedRequests } from '../data/mixed-requests.ts'
import { createHttpArm } from '../measurement/arm.ts'
import { type ProcessMemory, readMemoryOfProgram, readServiceMemory } from '../measurement/memory.ts'
import { sortedQuantile } from '../measurement/statistics.ts'
import type { Product } from '../product.ts'
import { type BenchTable, emptyReport, nameProfile } from '../report/bench-report.ts'
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
  readonly memory: ProcessMemory
}

/** A service, or Node.js alone, when it is ready and after load. */
interface Measured {
  readonly name: string
  readonly start: Start
  readonly loaded?: ProcessMemory | undefined
}

/** What a process needs to start, and its memory before and after load. */
export const startup: BenchPart = {
  name: 'startup',
  summary: 'CPU time and time until a service is ready; memory of its process when it is ready and after load',
  async run(bench) {
    const product = await bench.product()
    const measured = services.flat().filter(({ name }) => name !== 'provider-simulator')
    const started: [string, Start][] = []
    for (const service of measured) {
      await bench.step(`start ${service.name}`, async (note) => {
        const all: Start[] = []
        for (let n = 0; n < starts; n++) all.push(await startOnce(service, n, product, bench))
        const typical = typicalStart(all)
        note(`${formatNumber(typical.cpu_seconds)} s of CPU time`)
        started.push([service.name, typical])
      })
    }
    const bare = typicalStart(await Promise.all(Array.from({ length: starts }, () => startEmptyProgram())))
    const loaded = await loadMix(bench, product)
    const rows = started.map(([name, start]): Measured => ({ name, start, loaded: loaded.get(name) }))
    const largest = (of: (row: Measured) => number) => Math.max(...rows.map(of))
    const freshOf = ({ start }: Measured) => start.memory.resident
    const loadedOf = (row: Measured) => row.loaded?.resident ?? Number.NaN
    return [
      {
        ...emptyReport,
        title: 'Start and memory',
        text: [
          `Median of ${starts} starts of one more process of each service, next to the running product and from the same bundles as in the image, until \`/readyz\` returns 200. The last row is a program that does nothing, until it runs. Memory is the resident set of the process. The load is the mix of \`many_keys\`, after the other parts of this run.`,
          'The second table divides the memory: pages of files, mostly the program of Node.js, which the processes of a node share; what V8 has reserved for objects, and for new ones among them; and the rest, such as compiled code, buffers and stacks.',
        ],
        tables: [
          tabulateStarts([...rows, { name: 'Node.js alone', start: bare }]),
          tabulateMemory([...rows, { name: 'Node.js alone', start: bare }]),
        ],
        targets: [
          {
            what: 'CPU to be ready, the service with most',
            value: largest(({ start }) => start.cpu_seconds),
            limit: { at_most: mostCpuSeconds },
            unit: ' s',
            profile: nameProfile('provider-auth', 'start'),
          },
          {
            what: 'memory of a ready process, the service with most',
            value: largest(freshOf) / megabyte,
            limit: { at_most: mostFreshMegabytes },
            unit: ' MB',
            reason: describeMemory(findLargest(rows, freshOf)?.start.memory),
          },
          {
            what: 'memory of a process after load, the service with most',
            value: largest(loadedOf) / megabyte,
            limit: { at_most: mostLoadedMegabytes },
            unit: ' MB',
            reason: describeMemory(findLargest(rows, loadedOf)?.loaded),
          },
        ],
      },
    ]
  },
}

function findLargest(rows: readonly Measured[], of: (row: Measured) => number): Measured | undefined {
  return rows.toSorted((a, b) => of(b) - of(a))[0]
}

function tabulateStarts(rows: readonly Measured[]): BenchTable {
  return {
    head: ['Service', 'CPU until ready, s', 'time until ready, s', 'memory when ready, MB', 'memory after load, MB'],
    rows: rows.map(({ name, start, loaded }) => [
      name,
      ...[start.cpu_seconds, start.wall_seconds].map(formatNumber),
      ...[start.memory.resident, loaded?.resident ?? Number.NaN].map(formatMegabytes),
    ]),
  }
}

function tabulateMemory(rows: readonly Measured[]): BenchTable {
  return {
    head: ['Memory, MB', 'files', 'V8 heap', 'of it new objects', 'rest'],
    rows: rows.flatMap(({ name, start, loaded }) => [
      [`${name}, ready`, ...divideMemory(start.memory).map(formatMegabytes)],
      ...(loaded === undefined ? [] : [[`${name}, after load`, ...divideMemory(loaded).map(formatMegabytes)]]),
    ]),
  }
}

function divideMemory({ resident, files, heap, young }: ProcessMemory): number[] {
  return [files, heap, young, resident - files - heap]
}

function describeMemory(memory: ProcessMemory | undefined): string {
  const [files, heap, young, rest] = (memory === undefined ? [] : divideMemory(memory)).map(formatMegabytes)
  return `${files} MB are pages of files, ${heap} MB the heap of V8 (${young} MB of it for new objects), ${rest} MB the rest`
}

function formatMegabytes(bytes: number): string {
  return formatNumber(bytes / megabyte)
}

async function startEmptyProgram(): Promise<Start> {
  const beganAt = performance.now()
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("ready"); process.stdin.resume()'])
  await once(child.stdout, 'data')
  const pid = child.pid ?? Number.NaN
  const start = {
    cpu_seconds: processorSeconds(pid),
    wall_seconds: (performance.now() - beganAt) / 1_000,
    memory: readMemoryOfProgram(pid),
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
    memory: await readServiceMemory(process.pid, process.operations),
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
    memory: {
      resident: median(({ memory }) => memory.resident),
      files: median(({ memory }) => memory.files),
      heap: median(({ memory }) => memory.heap),
      young: median(({ memory }) => memory.young),
    },
  }
}

/** Puts load on the product and returns the memory of each service's largest process. */
async function loadMix(
  { generator, compare }: Bench,
  { prepared, processes, gateways, serviceStack }: Product,
): Promise<ReadonlyMap<string, ProcessMemory>> {
  const workload = 'mix before memory is read'
  await generator.prepare(workload, createMixedRequests(prepared.sites))
  const arm = createHttpArm(generator, { name: 'ours', workload, processes, addresses: gateways })
  await compare('load', [arm], { in_flight: inFlight })
  const largest = new Map<string, ProcessMemory>()
  for (const { service, pid, operations } of serviceStack.members()) {
    const memory = await readServiceMemory(pid, operations)
    if (memory.resident > (largest.get(service)?.resident ?? 0)) largest.set(service, memory)
  }
  return largest
}

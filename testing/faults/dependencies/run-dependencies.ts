import { setTimeout as sleep } from 'node:timers/promises'
import { createPaths } from '../../../deploy/local/paths.ts'
import { waitForRecovery } from '../invariants.ts'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { createEffectRecord } from '../replicas/effect-record.ts'
import { type ReplicatedStack, startReplicatedStack } from '../replicas/replicated-stack.ts'
import { startTraffic } from '../replicas/traffic.ts'
import { type FaultSite, openFaultSite } from '../site.ts'
import { type DependencyFault, dependencyFaults } from './dependency-faults.ts'
import { type DependencyResult, formatDependencies } from './dependency-report.ts'
import { edgeFaults, processFaultVariables } from './edge-faults.ts'
import { judge } from './judge.ts'
import { mountSmallDisk } from './small-disk.ts'

const beforeMs = 3_000
/** Longer than every limit for silence. */
const faultMs = 15_000
/** Includes the time in which the product must have recovered. */
const afterMs = 14_000
const clientsOfEachKind = 3

/** Servers and networks that fail under traffic, with several processes of each service. */
export const dependencies: FaultPart = {
  name: 'dependencies',
  description: 'makes Postgres, NATS, Redis, processes and login providers fail under traffic',
  cases: dependencyFaults.map(({ name }) => name),
  core: [],
  async run(options) {
    await using stack = await startReplicatedStack(options.directory, options)
    return await runFaults('Dependencies', dependencyFaults, { stack, options })
  },
}

/** Limits of machines that the product meets under traffic. */
export const edges: FaultPart = {
  name: 'edges',
  description:
    'fills the disk, uses up connections, sets clocks, stalls event loops and leaves 100,000 jobs, under traffic',
  cases: edgeFaults.map(({ name }) => name),
  core: [],
  async run(options) {
    const paths = createPaths(options.directory)
    using _disk = mountSmallDisk(paths.postgres)
    await using stack = await startReplicatedStack(options.directory, {
      ...options,
      environment: processFaultVariables(paths),
    })
    return await runFaults('Edges', edgeFaults, { stack, options })
  },
}

async function runFaults(
  title: string,
  faults: readonly DependencyFault[],
  { stack, options }: { stack: ReplicatedStack; options: PartOptions },
): Promise<PartReport> {
  const { selected, step, interruption, print, save } = options
  await using site = await step('Site', () => openFaultSite(stack))
  const results: DependencyResult[] = []
  for (const fault of faults.filter(({ name }) => selected.includes(name))) {
    interruption.throwIfAborted()
    const result = await runFault(fault, { stack, site })
    results.push(result)
    const { requests, worstMs, recoveryMs, violations } = result
    print(
      `${fault.name}: ${requests} requests, worst ${Math.round(worstMs)} ms, recovered after ${Math.round(recoveryMs)} ms, ${violations.length} violations`,
    )
    for (const violation of violations) print(`  ${violation}`)
    save(formatDependencies(title, results))
  }
  return formatDependencies(title, results)
}

async function runFault(
  fault: DependencyFault,
  { stack, site }: { stack: ReplicatedStack; site: FaultSite },
): Promise<DependencyResult> {
  const { databases, interruption } = stack
  for (const replica of stack.replicas) await replica.ready()
  const record = createEffectRecord()
  const restartsBefore = countRestarts(stack)
  await using traffic = startTraffic({
    ...{ site, record, clients: clientsOfEachKind, keepAlive: fault.extent === 'all' && !fault.staysReady },
  })
  const wait = (ms: number) => sleep(ms, undefined, { signal: interruption })
  await wait(beforeMs)
  const beganAt = performance.now()
  let endedAt: number
  try {
    await fault.begin(stack, site)
    await wait(faultMs)
  } finally {
    await fault.end(stack)
    endedAt = performance.now()
  }
  await wait(afterMs)
  await traffic.stop()
  const { extent, holdsRequests = false, concerns, rejectsLogins = false } = fault
  const judged = { beganAt, endedAt, extent, holdsRequests, concerns, rejectsLogins }
  const judgement = judge(traffic.samples, judged)
  const left = (await fault.settle?.(stack)) ?? []
  const state = await waitForRecovery(databases)
  const restarts = countRestarts(stack) - restartsBefore
  return {
    ...{ fault: fault.name, requests: traffic.samples.length, ...record.counts() },
    ...judgement,
    violations: [
      ...judgement.violations,
      ...left,
      ...(await record.findViolations(databases)),
      ...state.violations.map(({ invariant, row }) => `${invariant}: ${row}`),
      ...(restarts > 0 ? [`${restarts} processes ended`] : []),
    ].map((violation) => `${fault.name}: ${violation}`),
  }
}

function countRestarts({ replicas }: ReplicatedStack): number {
  return replicas.reduce((sum, replica) => sum + replica.restarts(), 0)
}

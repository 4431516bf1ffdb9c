import { setTimeout as sleep } from 'node:timers/promises'
import { waitForRecovery } from '../invariants.ts'
import type { PartOptions, PartReport } from '../part.ts'
import { createEffectRecord } from '../replicas/effect-record.ts'
import type { ServiceReplicas } from '../replicas/service-replicas.ts'
import { startTraffic } from '../replicas/traffic.ts'
import { type FaultSite, openFaultSite } from '../site.ts'
import type { DependencyFault } from './dependency-faults.ts'
import { type DependencyResult, formatDependencies } from './dependency-report.ts'
import { judge, recoverWithinMs } from './judge.ts'

const beforeMs = 3_000
/** Longer than every limit for silence. */
const faultMs = 15_000
/** Includes the time in which the product must have recovered. */
const afterMs = 14_000
const clientsOfEachKind = 3

const pollMs = 100

/** What the report says about the faults. */
export interface FaultsDescription {
  readonly title: string
  /** How to read the names of the faults, and their times. */
  readonly explanation: string
  /** Whether the traffic includes lists of users that may be some seconds old. */
  readonly readsLists?: boolean
}

/** Causes the selected faults one after another, under traffic. */
export async function runFaults<S extends ServiceReplicas>(
  description: FaultsDescription,
  faults: readonly DependencyFault<S>[],
  { stack, options }: { stack: S; options: PartOptions },
): Promise<PartReport> {
  const { selected, step, interruption, print, save } = options
  await using site = await step('Site', () => openFaultSite(stack))
  const readsLists = description.readsLists === true
  if (readsLists) await allowStaleUsers(site)
  const results: DependencyResult[] = []
  for (const fault of faults.filter(({ name }) => selected.includes(name))) {
    interruption.throwIfAborted()
    const result = await runFault(fault, { stack, site, readsLists })
    results.push(result)
    const { requests, worstMs, recoveryMs, violations } = result
    print(
      `${fault.name}: ${requests} requests, worst ${Math.round(worstMs)} ms, recovered after ${Math.round(recoveryMs)} ms, ${violations.length} violations`,
    )
    for (const violation of violations) print(`  ${violation}`)
    save(formatDependencies(description, results))
  }
  return formatDependencies(description, results)
}

async function runFault<S extends ServiceReplicas>(
  fault: DependencyFault<S>,
  { stack, site, readsLists }: { stack: S; site: FaultSite; readsLists: boolean },
): Promise<DependencyResult> {
  const { databases, interruption } = stack
  for (const replica of stack.replicas) await replica.ready()
  const record = createEffectRecord()
  const restartsBefore = countRestarts(stack)
  await using traffic = startTraffic({
    site,
    record,
    clients: clientsOfEachKind,
    keepAlive: fault.extent !== 'partial' && !fault.staysReady,
    readsLists,
  })
  const wait = (ms: number) => sleep(ms, undefined, { signal: interruption })
  await wait(beforeMs)
  const { extent, holdsRequests = false, concerns, rejectsLogins = false } = fault
  const beganAt = performance.now()
  let from = beganAt
  let restoring: Promise<number> | undefined
  try {
    await fault.begin(stack, site)
    if (extent === 'failover') {
      from = performance.now()
      restoring = measureRestoration(fault, stack)
    }
    await wait(faultMs)
  } finally {
    await fault.end(stack)
    if (extent === 'all') from = performance.now()
  }
  restoring ??= measureRestoration(fault, stack)
  await wait(afterMs)
  await traffic.stop()
  const judgement = judge(traffic.samples, { beganAt, from, holdsRequests, concerns, rejectsLogins })
  const restoredMs = await restoring
  const left = (await fault.settle?.(stack)) ?? []
  const state = await waitForRecovery(databases)
  const restarts = countRestarts(stack) - restartsBefore
  return {
    fault: fault.name,
    requests: traffic.samples.length,
    ...record.counts(),
    ...judgement,
    recoveryMs: Math.max(judgement.recoveryMs, restoredMs),
    violations: [
      ...judgement.violations,
      ...(restoredMs > recoverWithinMs ? ['not everything was as before after the time to recover'] : []),
      ...left,
      ...(await record.findViolations(databases)),
      ...state.violations.map(({ invariant, row }) => `${invariant}: ${row}`),
      ...(restarts > 0 ? [`${restarts} processes ended`] : []),
    ].map((violation) => `${fault.name}: ${violation}`),
  }
}

/** Lets `users` of the Web API be served by a replica of the database. */
async function allowStaleUsers({ admin, demo }: FaultSite): Promise<void> {
  const path = `/sites/${demo.site_id}`
  const { etag } = await admin.send('GET', path)
  const { status, body } = await admin.send('PATCH', path, { users_may_be_stale: true }, { 'if-match': etag })
  if (status !== 200) throw new Error(`The change of the site returned ${status}: ${body}`)
}

/** How long it takes until everything is as before, or the time that it may take. */
async function measureRestoration<S extends ServiceReplicas>(
  { isRestored }: DependencyFault<S>,
  stack: S,
): Promise<number> {
  if (isRestored === undefined) return 0
  const startedAt = performance.now()
  const takenMs = () => performance.now() - startedAt
  while (!(await isRestored(stack)) && takenMs() <= recoverWithinMs) await sleep(pollMs)
  return takenMs()
}

function countRestarts({ replicas }: ServiceReplicas): number {
  return replicas.reduce((sum, replica) => sum + replica.restarts(), 0)
}

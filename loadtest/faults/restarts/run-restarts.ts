import { randomUUID } from 'node:crypto'
import { type MemberBrowser, openMemberBrowser } from '../../../services/console/test/member-browser.ts'
import { buildPages, isStale } from '../../../services/console/web/build.ts'
import { openBrowser } from '../../../testing/browser.ts'
import { waitForRecovery } from '../invariants.ts'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { createEffectRecord } from '../replicas/effect-record.ts'
import { type ReplicatedStack, startReplicatedStack } from '../replicas/replicated-stack.ts'
import { type Replica, restartGracefully } from '../replicas/service-replicas.ts'
import { startTraffic, type Traffic } from '../replicas/traffic.ts'
import { type FaultSite, openFaultSite } from '../site.ts'
import { addPasskey, beginWork } from './interrupted-work.ts'
import { formatRestarts, type RestartRound } from './restart-report.ts'

const rounds = 10
const coreRounds = 1
const clientsOfEachKind = 3
const mostExamples = 5

/** Rolling restarts of every service under traffic. No request may fail. */
export const restarts: FaultPart = {
  name: 'restarts',
  description: `restarts every process of every service gracefully under traffic, ${rounds} times in a row`,
  cases: ['rolling_restarts'],
  core: ['rolling_restarts'],
  run,
}

async function run({ directory, core, step, interruption, print, save }: PartOptions): Promise<PartReport> {
  await using starting = new AsyncDisposableStack()
  if (isStale()) await step('Console', buildPages)
  const stack = starting.use(await startReplicatedStack(directory, { step, interruption }))
  const site = starting.use(await step('Site', () => openFaultSite(stack)))
  const browser = await openBrowser({ handlesSignals: false })
  starting.defer(() => browser.close())
  const member = starting.use(await openMemberBrowser(browser, stack.wiring.addresses.console))
  await addPasskey(member, site.access.console_sign_in)
  const record = createEffectRecord()
  const traffic = starting.use(
    startTraffic({
      site,
      record,
      clients: clientsOfEachKind,
      keepAlive: true,
    }),
  )

  const results: RestartRound[] = []
  for (let round = 1; round <= (core ? coreRounds : rounds); round++) {
    interruption.throwIfAborted()
    const result = await runRound({ stack, site, member, traffic })
    results.push(result)
    print(
      `restart ${round}: ${result.requests} requests, worst ${Math.round(result.worstMs)} ms, ${result.violations.length} violations`,
    )
    for (const violation of result.violations) print(`  ${violation}`)
    save(formatRestarts(results, []))
  }
  await traffic.stop()
  const state = await waitForRecovery(stack.databases)
  return formatRestarts(results, [
    ...(await record.findViolations(stack.databases)),
    ...state.violations.map(({ invariant, row }) => `${invariant}: ${row}`),
  ])
}

interface RoundOptions {
  readonly stack: ReplicatedStack
  readonly site: FaultSite
  readonly member: MemberBrowser
  readonly traffic: Traffic
}

async function runRound({ stack, site, member, traffic }: RoundOptions): Promise<RestartRound> {
  const startedAt = performance.now()
  const from = traffic.samples.length
  const interrupted = await beginWork(site, member, `r${randomUUID().replaceAll('-', '').slice(0, 16)}`)
  for (const batch of listBatches(stack)) await Promise.all(batch.map(restartGracefully))
  const unfinished = await interrupted.finish()
  const samples = traffic.samples.slice(from)
  const failed = samples.filter(({ outcome }) => outcome !== 'ok')
  const examples = failed
    .slice(0, mostExamples)
    .map(({ kind, outcome, ms }) => `${kind} for ${Math.round(ms)} ms (${outcome})`)
  return {
    requests: samples.length,
    logins: interrupted.logins,
    signIns: interrupted.signIns,
    worstMs: Math.max(0, ...samples.map(({ ms }) => ms)),
    seconds: (performance.now() - startedAt) / 1_000,
    violations: [
      ...unfinished,
      ...(failed.length > 0 ? [`${failed.length} requests failed: ${examples.join('; ')}`] : []),
    ],
  }
}

/** The first process of every service, then the second, and so on. */
function listBatches({ replicas }: ReplicatedStack): Replica[][] {
  const batches: Replica[][] = []
  const counts = new Map<string, number>()
  for (const replica of replicas) {
    // There is one simulator, which is not part of the product.
    if (replica.service === 'provider-simulator') continue
    const index = counts.get(replica.service) ?? 0
    counts.set(replica.service, index + 1)
    batches[index] = [...(batches[index] ?? []), replica]
  }
  return batches
}

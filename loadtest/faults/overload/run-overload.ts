import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { pinToCpus } from '../../toolkit/pin-to-cpus.ts'
import { watchStolenTime } from '../../toolkit/stolen-time.ts'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { type ReplicatedStack, startReplicatedStack } from '../replicas/replicated-stack.ts'
import { openFaultSite } from '../site.ts'
import { createLoadGenerator, type LoadAnswer, type LoadGenerator } from './load.ts'
import { formatOverload, judgeOverload, type Overload, type OverloadSample } from './overload-report.ts'

const factor = 5
const users = 200
/** The capacity is the most that some number of connections reaches. */
const connectionCounts = [96, 288, 768]
const warmUpMs = 10_000
const capacityMs = 10_000
const overloadMs = 60_000
const sampleMs = 1_000
const recoveryMs = 30_000
/** Part of the capacity that clients use after the overload. */
const usualLoad = 0.5
/** All processes share a CPU. In Kubernetes, the CPU request of its pod guarantees a gateway its time. */
const gatewayPriority = -10

/** Several times more requests than the product can answer. */
export const overload: FaultPart = {
  name: 'overload',
  description: `sends ${factor} times the requests that the product can answer, for a minute`,
  cases: ['overload'],
  core: [],
  run,
}

async function run({ directory, step, interruption, print }: PartOptions): Promise<PartReport> {
  // Processes run on the CPU of the process that starts them.
  pinToCpus('0')
  await using stack = await startReplicatedStack(directory, { step, interruption, proxied: false })
  pinToCpus('1')
  await using site = await step('Site', () => openFaultSite(stack))
  const primaryKeys = Array.from({ length: users }, (_, index) => `read-${index}`)
  for (const primaryKey of primaryKeys) {
    const links = [{ provider: 'messaging', provider_user_id: primaryKey }] as const
    await site.createUser({ primary_key: primaryKey, links })
  }
  const gateways = stack.replicas.filter(({ service }) => service === 'api-gateway')
  for (const gateway of gateways) prefer(gateway.pid())
  // Other programs of the machine must not delay the load generator, because its delays count as those of the product.
  prefer(process.pid)
  const ports = gateways.map(({ port }) => port)
  await using load = createLoadGenerator(ports, site, primaryKeys)

  const capacity = await measureCapacity(load)
  print(`capacity: ${Math.round(capacity)} requests a second`)
  const samples: OverloadSample[] = []
  let stolenShare = watchStolenTime()
  const sampling = setInterval(async () => {
    const stolen = stolenShare()
    stolenShare = watchStolenTime()
    samples.push({ at: performance.now(), memory: await readMemory(stack), stolen })
  }, sampleMs)
  const endsAt = performance.now() + overloadMs
  const answers = await load.send(capacity * factor, overloadMs)
  clearInterval(sampling)
  const recoveredAfterMs = await measureRecovery(load, capacity * usualLoad)
  const result: Overload = {
    capacity,
    factor,
    seconds: overloadMs / 1_000,
    endsAt,
    answers,
    samples,
    recoveredAfterMs,
    restarts: stack.replicas.reduce((sum, replica) => sum + replica.restarts(), 0),
  }
  const violations = judgeOverload(result)
  const report = formatOverload(result, violations)
  print(report.text)
  return report
}

/** Requests a second. */
async function measureCapacity(load: LoadGenerator): Promise<number> {
  await load.press(Math.max(...connectionCounts), warmUpMs)
  let most = 0
  for (const connections of connectionCounts)
    most = Math.max(most, countServed(await load.press(connections, capacityMs)) / (capacityMs / 1_000))
  return most
}

/** Whole seconds of the usual load until all requests of a second are answered; `recoveryMs` if none is. */
async function measureRecovery(load: LoadGenerator, perSecond: number): Promise<number> {
  for (let ms = 0; ms < recoveryMs; ms += 1_000) {
    const answers = await load.send(perSecond, 1_000)
    if (answers.every(({ status }) => status === 200)) return ms
  }
  return recoveryMs
}

function countServed(answers: readonly LoadAnswer[]): number {
  return answers.filter(({ status }) => status === 200).length
}

/** Resident memory of all processes in MiB. */
async function readMemory({ replicas }: ReplicatedStack): Promise<number> {
  const kibibytes = await Promise.all(
    replicas.map(async (replica) => {
      const status = await readFile(`/proc/${replica.pid()}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    }),
  )
  return kibibytes.reduce((sum, one) => sum + one, 0) / 1_024
}

/** Gives a process more time than others. Linux divides a CPU among sessions first, and each process here has its own. */
function prefer(pid: number): void {
  setPriority(pid, gatewayPriority)
  const session = `/proc/${pid}/autogroup`
  if (existsSync(session)) writeFileSync(session, String(gatewayPriority))
}

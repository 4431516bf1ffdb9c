import { setTimeout as sleep } from 'node:timers/promises'
import type { DependencyFault } from '../dependencies/dependency-faults.ts'
import type { ReplicatedStack } from '../replicas/replicated-stack.ts'
import type { FaultSite } from '../site.ts'
import { callWebApi } from '../web-api.ts'

export interface LimitResult {
  /** Undefined without a fault. */
  readonly fault: string | undefined
  readonly requests: number
  readonly admitted: number
  /** Admitted by a gateway alone, without Redis. */
  readonly admittedAlone: number
  readonly violations: readonly string[]
}

/** The default of the product. */
export const requestsPerWindow = 10_000
const gateways = 3
const requesters = 40
/** Together less than a window. All requests without a fault reach the limit in a third of it. */
const pressMs = 45_000
const pauseMs = 60
const beforeFaultMs = 1_000
const faultMs = 3_000
const faults = 3

interface LimitCase {
  readonly stack: ReplicatedStack
  readonly site: FaultSite
  readonly fault: DependencyFault | undefined
}

/** Sends more requests within one window than the limit, during which a fault comes and goes, and counts the admitted. */
export async function runLimitCase({ stack, site, fault }: LimitCase): Promise<LimitResult> {
  const { interruption } = stack
  await waitForNewWindow(site, interruption)
  const counts = { requests: 0, admitted: 0, admittedAlone: 0 }
  const unexpected: string[] = []
  const until = performance.now() + pressMs
  const send = async () => {
    const { status, headers, outcome } = await callWebApi(site, 'appinfo', {})
    counts.requests++
    if (status === 200) {
      counts.admitted++
      if (headers.has('x-ratelimit-mode')) counts.admittedAlone++
    } else if (status !== 429) unexpected.push(outcome)
  }
  const requester = async () => {
    while (performance.now() < until) {
      await send().catch((error: unknown) => unexpected.push(String(error)))
      await sleep(pauseMs, undefined, { signal: interruption })
    }
  }
  const causeFaults = async () => {
    if (fault === undefined) return
    for (let count = 0; count < faults; count++) {
      await sleep(beforeFaultMs, undefined, { signal: interruption })
      try {
        await fault.begin(stack, site)
        await sleep(faultMs, undefined, { signal: interruption })
      } finally {
        await fault.end(stack)
      }
    }
  }
  await Promise.all([causeFaults(), ...Array.from({ length: requesters }, requester)])
  return { fault: fault?.name, ...counts, violations: judge(fault, counts, unexpected) }
}

/** Resolves when no gateway counts in a window that began before. */
async function waitForNewWindow(site: FaultSite, signal: AbortSignal): Promise<void> {
  const answers = await Promise.all(Array.from({ length: requesters }, () => callWebApi(site, 'appinfo', {})))
  const resets = answers.map(({ headers }) => Date.parse(headers.get('x-ratelimit-reset') ?? ''))
  await sleep(Math.max(...resets) - Date.now(), undefined, { signal })
}

function judge(
  fault: DependencyFault | undefined,
  { admitted, admittedAlone }: Pick<LimitResult, 'admitted' | 'admittedAlone'>,
  unexpected: readonly string[],
): string[] {
  const name = fault?.name ?? 'no fault'
  // On a busy machine Redis can be late without a fault.
  const isExact = admittedAlone === 0
  const most = requestsPerWindow + (isExact ? 0 : gateways)
  const least = isExact ? requestsPerWindow : 1
  return [
    ...(admitted > most || admitted < least ? [`${name}: ${admitted} requests were admitted`] : []),
    ...(unexpected.length > 0 ? [`${name}: ${unexpected.length} unexpected answers: ${unexpected[0]}`] : []),
  ]
}

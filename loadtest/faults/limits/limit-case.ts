import { setTimeout as sleep } from 'node:timers/promises'
import type { DependencyFault } from '../dependencies/dependency-faults.ts'
import type { ServiceReplicas } from '../replicas/service-replicas.ts'
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
export const defaultLimit = 10_000
const gateways = 3
const requesters = 40
/** Together less than a window. All requests without a fault reach the limit in a third of it. */
const pressMs = 45_000
const pauseMs = 60
const beforeFaultMs = 1_000
const faultMs = 3_000
const faults = 3

interface LimitCase<S extends ServiceReplicas> {
  readonly stack: S
  readonly site: FaultSite
  readonly fault: DependencyFault<S> | undefined
  /** The limit of the site: requests per window. */
  readonly limit: number
}

/** Sends more requests within one window than the limit, during which a fault comes and goes, and counts the admitted. */
export async function runLimitCase<S extends ServiceReplicas>({
  stack,
  site,
  fault,
  limit,
}: LimitCase<S>): Promise<LimitResult> {
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
  return { fault: fault?.name, ...counts, violations: judge(fault?.name ?? 'no fault', limit, counts, unexpected) }
}

/** Resolves when no gateway counts in a window that began before. */
async function waitForNewWindow(site: FaultSite, signal: AbortSignal): Promise<void> {
  const answers = await Promise.all(Array.from({ length: requesters }, () => callWebApi(site, 'appinfo', {})))
  const resets = answers.map(({ headers }) => Date.parse(headers.get('x-ratelimit-reset') ?? ''))
  await sleep(Math.max(...resets) - Date.now(), undefined, { signal })
}

function judge(
  name: string,
  limit: number,
  { admitted, admittedAlone }: Pick<LimitResult, 'admitted' | 'admittedAlone'>,
  unexpected: readonly string[],
): string[] {
  // On a busy machine Redis can be late without a fault.
  const isExact = admittedAlone === 0
  const most = limit + (isExact ? 0 : gateways)
  const least = isExact ? limit : 1
  return [
    ...(admitted > most || admitted < least ? [`${name}: ${admitted} requests were admitted`] : []),
    ...(unexpected.length > 0 ? [`${name}: ${unexpected.length} unexpected answers: ${unexpected[0]}`] : []),
  ]
}

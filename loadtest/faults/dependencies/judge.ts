import type { TrafficSample } from '../replicas/traffic.ts'

export interface Judgement {
  /** Answers that said that the service was unavailable. */
  readonly unavailable: number
  /** The longest time to an answer, of all requests. */
  readonly worstMs: number
  /** From the moment since which the product can recover to the last request that did not succeed. */
  readonly recoveryMs: number
  readonly violations: readonly string[]
}

interface JudgedFault {
  /** `performance.now()` */
  readonly beganAt: number
  /** When the product could begin to recover. */
  readonly from: number
  /** Whether requests at the beginning of the fault may have to wait for its end. */
  readonly holdsRequests: boolean
  /** The only kind of request that may fail; undefined for all. */
  readonly concerns: string | undefined
  /** Whether logins may be rejected while the fault lasts. */
  readonly rejectsLogins: boolean
}

export const recoverWithinMs = 10_000
const answerWithinMs = 10_000
/** A login is four requests of the browser. */
const loginWithinMs = 20_000
/** In which a balancer notices that a process does not answer. */
const noticedWithinMs = 2_000
const mostExamples = 5

/**
 * While a fault lasts, each request must be answered within `answerWithinMs`, if only that the service is unavailable. Before
 * it, and `recoverWithinMs` after `from`, each request must succeed.
 */
export function judge(
  samples: readonly TrafficSample[],
  { beganAt, from, holdsRequests, concerns, rejectsLogins }: JudgedFault,
): Judgement {
  const failed = samples.filter(({ outcome }) => outcome !== 'ok')
  const unavailable = failed.filter(({ outcome }) => outcome === 'unavailable')
  const unexpected = failed
    .filter(({ outcome }) => outcome !== 'unavailable')
    .filter(({ outcome }) => !(rejectsLogins && outcome.startsWith('rejected')))
  const early = failed.filter(({ startedAt, ms }) => startedAt + ms < beganAt)
  const late = failed.filter(({ startedAt }) => startedAt > from + recoverWithinMs)
  const unconcerned = failed.filter(({ kind }) => concerns !== undefined && kind !== concerns)
  const isHeld = ({ startedAt }: TrafficSample) => holdsRequests && startedAt < beganAt + noticedWithinMs
  const slow = samples
    .filter((sample) => !isHeld(sample))
    .filter(({ kind, ms }) => ms > (kind === 'login' ? loginWithinMs : answerWithinMs))
  const lastFailure = Math.max(
    from,
    ...failed.filter(({ startedAt }) => startedAt > beganAt).map(({ startedAt, ms }) => startedAt + ms),
  )
  const show = (what: string, found: readonly TrafficSample[]) =>
    found.length === 0 ? [] : [`${found.length} ${what}: ${examples(found, beganAt)}`]
  return {
    unavailable: unavailable.length,
    worstMs: Math.max(0, ...samples.map(({ ms }) => ms)),
    recoveryMs: lastFailure - from,
    violations: [
      ...show('requests failed before the fault', early),
      ...show('unexpected answers', unexpected),
      ...show('requests failed that the fault does not concern', unconcerned),
      ...show('requests failed after the time to recover', late),
      ...show('answers took too long', slow),
    ],
  }
}

function examples(samples: readonly TrafficSample[], beganAt: number): string {
  return samples
    .slice(0, mostExamples)
    .map(
      ({ kind, outcome, startedAt, ms }) =>
        `${kind} at ${Math.round(startedAt - beganAt)} ms for ${Math.round(ms)} ms (${outcome})`,
    )
    .join('; ')
}

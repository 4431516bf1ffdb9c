import { setTimeout as sleep } from 'node:timers/promises'

export interface Answer {
  readonly status: number
  readonly body: string
}

/** A request that is repeated with its Idempotency-Key until its answer is definite. */
export interface RepeatedRequest {
  readonly url: string
  readonly api_key: string
  readonly idempotency_key: string
}

const repeatAfterMs = 200
/** Longer than a request may take. */
const attemptTimeoutMs = 10_000

/** Sends the request once. Returns undefined if there was no answer, or one that says nothing about the effect (5xx). */
export async function attempt({ url, api_key, idempotency_key }: RepeatedRequest): Promise<Answer | undefined> {
  try {
    const headers = {
      authorization: `Bearer ${api_key}`,
      'idempotency-key': idempotency_key,
      connection: 'close',
    }
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(attemptTimeoutMs) })
    const body = await response.text()
    return response.status >= 500 || response.status === 429 ? undefined : { status: response.status, body }
  } catch {
    return undefined // reset, refused or timed out
  }
}

export interface RepeatOptions {
  /** Time (`performance.now()`) at which it gives up. */
  readonly until: number
  /** Resolves when a repeat may be sent. */
  readonly whenAllowed?: () => Promise<void>
  /** Receives each attempt. */
  readonly track?: (attempt: Promise<Answer | undefined>) => Promise<Answer | undefined>
}

/** Repeats the request until its answer is definite. */
export async function repeatUntilDefinite(
  request: RepeatedRequest,
  { until, whenAllowed, track = (sent) => sent }: RepeatOptions,
): Promise<Answer | undefined> {
  while (performance.now() < until) {
    await sleep(repeatAfterMs)
    await whenAllowed?.()
    const answer = await track(attempt(request))
    if (answer !== undefined) return answer
  }
  return undefined
}

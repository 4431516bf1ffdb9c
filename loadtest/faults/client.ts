import { setTimeout as sleep } from 'node:timers/promises'

export interface Answer {
  readonly status: number
  readonly body: string
}

/** Sends a request once. Returns undefined if there was no definite answer. */
export type Attempt = () => Promise<Answer | undefined>

const repeatAfterMs = 200
/** Longer than a request may take. */
const attemptTimeoutMs = 10_000

/** Returns undefined if there was no answer, or one that says nothing about the effect (5xx and 429). */
export async function sendOnce(url: string, headers: Readonly<Record<string, string>>): Promise<Answer | undefined> {
  try {
    const signal = AbortSignal.timeout(attemptTimeoutMs)
    const response = await fetch(url, { headers: { ...headers, connection: 'close' }, signal })
    const body = await response.text()
    return response.status >= 500 || response.status === 429 ? undefined : { status: response.status, body }
  } catch {
    return undefined // reset, refused or timed out
  }
}

export interface RepeatOptions {
  /** How long it repeats, without the time in which it waits until a repeat is allowed. */
  readonly withinMs: number
  /** Resolves when a repeat may be sent. */
  readonly whenAllowed?: () => Promise<void>
  /** Receives each attempt. */
  readonly track?: (attempt: Promise<Answer | undefined>) => Promise<Answer | undefined>
}

/** Repeats the request until its answer is definite. */
export async function repeatUntilDefinite(
  attempt: Attempt,
  { withinMs, whenAllowed, track = (sent) => sent }: RepeatOptions,
): Promise<Answer | undefined> {
  for (let spentMs = 0; spentMs < withinMs; ) {
    await sleep(repeatAfterMs)
    await whenAllowed?.()
    const sentAt = performance.now()
    const answer = await track(attempt())
    if (answer !== undefined) return answer
    spentMs += repeatAfterMs + performance.now() - sentAt
  }
  return undefined
}

import { Agent, fetch } from 'undici'
import type { WebhookAttempt } from '#contracts'
import { classifyRequestError, createGuardedConnector } from '#http-client'
import { toTimestamp } from '#runtime'
import { type SignWebhook, toSeconds } from './signature.ts'

/** Timeouts of a connection, and of an attempt from connecting to the end of the response. Our choice. */
const connectTimeoutMs = 5_000
const attemptTimeoutMs = 15_000
/** How much of a response is read and stored. Our choice. */
const responseBytes = 1_024

/** What is sent: an event, or a test event. */
export interface WebhookMessage {
  readonly id: string
  /** JSON. */
  readonly body: string
}

/** An attempt, and what the receiver asked for. */
export interface AttemptOutcome {
  readonly attempt: WebhookAttempt
  readonly isDelivered: boolean
  /** Of a response 429 or 503 with `Retry-After`. */
  readonly retryAfterSeconds: number
}

/** Sends webhooks until disposed, which ends running attempts. */
export interface WebhookSender extends AsyncDisposable {
  /** Makes one attempt; it never throws. Redirects are not followed (Standard Webhooks, "Delivery"). */
  readonly send: (
    url: string,
    message: WebhookMessage,
    sign: SignWebhook,
    limits?: { readonly timeoutMs?: number },
  ) => Promise<AttemptOutcome>
}

/** @param isPrivateAllowed which private addresses the installation allows for endpoints */
export function createWebhookSender(isPrivateAllowed: (address: string) => boolean): WebhookSender {
  const connect = createGuardedConnector({ timeoutMs: connectTimeoutMs, isPrivateAllowed })
  // Connections are limited for each endpoint, not for each host, which endpoints can share.
  const agent = new Agent({ connect, allowH2: false })
  return {
    async send(url, { id, body }, sign, { timeoutMs = attemptTimeoutMs } = {}) {
      const sentAt = new Date()
      const startedAt = performance.now()
      const describe = (outcome: Pick<WebhookAttempt, 'status' | 'error' | 'response'>): WebhookAttempt => ({
        ...{ at: toTimestamp(sentAt), duration_ms: Math.round(performance.now() - startedAt) },
        ...outcome,
      })
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'social-login',
        'webhook-id': id,
        'webhook-timestamp': String(toSeconds(sentAt)),
        'webhook-signature': sign({ id, sentAt, body }),
      }
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const response = await fetch(url, {
          ...{ method: 'POST', headers, body, redirect: 'manual', signal, dispatcher: agent },
        })
        const { status, ok } = response
        const text = await readBeginning(response.body)
        return {
          attempt: describe({ status, error: null, response: ok ? null : text }),
          isDelivered: ok,
          retryAfterSeconds: [429, 503].includes(status) ? readRetryAfter(response.headers.get('retry-after')) : 0,
        }
      } catch (error) {
        const attempt = describe({ status: null, error: classifyRequestError(error), response: null })
        return { attempt, isDelivered: false, retryAfterSeconds: 0 }
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

/** Text that can be stored. The rest of the response is discarded, and with it the connection. */
async function readBeginning(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length > responseBytes) break
  }
  return Buffer.concat(chunks).subarray(0, responseBytes).toString('utf8').replaceAll('\0', '')
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | null): number {
  if (value === null) return 0
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}

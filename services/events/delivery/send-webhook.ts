import { Agent, type Dispatcher, request } from 'undici'
import type { WebhookAttempt } from '#contracts'
import { classifyRequestError, createGuardedConnector } from '#http-client'
import { toTimestamp } from '#runtime'
import { type SignWebhook, toSeconds } from './signature.ts'

/** Timeouts of a connection, and of an attempt from connecting to the end of the response. Our choice. */
const connectTimeoutMs = 5_000
const attemptTimeoutMs = 15_000
/** How much of the response of a failed attempt is read and stored. Our choice. */
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
        at: toTimestamp(sentAt),
        duration_ms: Math.round(performance.now() - startedAt),
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
        const response = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent })
        const { statusCode: status } = response
        if (status >= 200 && status < 300) {
          // Its body has no meaning. What has arrived of it is discarded, so that the connection can be used again.
          response.body.dump({ limit: responseBytes, signal }).catch(() => undefined)
          return { attempt: describe({ status, error: null, response: null }), isDelivered: true, retryAfterSeconds: 0 }
        }
        return {
          attempt: describe({ status, error: null, response: await readBeginning(response.body) }),
          isDelivered: false,
          retryAfterSeconds: [429, 503].includes(status) ? readRetryAfter(response.headers['retry-after']) : 0,
        }
      } catch (error) {
        const attempt = describe({ status: null, error: classifyRequestError(error), response: null })
        return { attempt, isDelivered: false, retryAfterSeconds: 0 }
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

/** Text that can be stored, of what arrives. The rest of the response is discarded, and with it the connection. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      length += bytes.byteLength
      if (length > responseBytes) break
    }
  } catch {
    // The status has decided already.
  }
  return Buffer.concat(chunks).subarray(0, responseBytes).toString('utf8').replaceAll('\0', '')
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | string[] | undefined): number {
  if (typeof value !== 'string') return 0
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}

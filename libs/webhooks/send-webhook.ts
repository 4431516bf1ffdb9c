import type { WebhookAttempt } from '#contracts'
import { createRequestSender, isAccepted } from '#http-client'
import { toTimestamp } from '#runtime'
import { type SignWebhook, toSeconds } from './signature.ts'

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
  /** Code of the error of an attempt without a response, such as `ECONNREFUSED`. */
  readonly code: string | null
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
  const requests = createRequestSender(isPrivateAllowed)
  return {
    async send(url, { id, body }, sign, limits) {
      const sentAt = new Date()
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'social-login',
        'webhook-id': id,
        'webhook-timestamp': String(toSeconds(sentAt)),
        'webhook-signature': sign({ id, sentAt, body }),
      }
      const outcome = await requests.send(url, { headers, body }, limits)
      const { durationMs, status, error, response, code, retryAfterSeconds } = outcome
      return {
        attempt: { at: toTimestamp(sentAt), duration_ms: durationMs, status, error, response },
        isDelivered: isAccepted(outcome),
        code,
        retryAfterSeconds,
      }
    },
    [Symbol.asyncDispose]: () => requests[Symbol.asyncDispose](),
  }
}

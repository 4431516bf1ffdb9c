import { z } from 'zod'
import { Count, Text, Timestamp } from '../scalars.ts'
import { EventType } from './event.ts'

/** An address to which events are sent, with or without TLS; whether it may be used depends on the installation. */
const WebhookUrl = Text.max(2_000).refine(isWebhookUrl, 'must be an https URL without user name, password and fragment')

function isWebhookUrl(value: string): boolean {
  const url = URL.parse(value)
  if (url === null) return false
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && !value.includes('#')
}

/** How requests are signed (Standard Webhooks): `v1` with a shared secret by HMAC-SHA256, `v1a` with a key pair by Ed25519. */
export const SignatureScheme = z.enum(['v1', 'v1a'])
export type SignatureScheme = z.infer<typeof SignatureScheme>

/** What customers set of an endpoint. */
export const webhookSettings = {
  /** Unique within the site. */
  name: Text.min(1).max(60),
  url: WebhookUrl,
  /** Null: all types, also those that are added later. An empty list means the same. */
  types: z
    .array(EventType)
    .nullable()
    .overwrite((types) => (types?.length === 0 ? null : types)),
  signature: SignatureScheme,
  /** Whether an event is sent only after all earlier ones of its user. */
  ordered: z.boolean(),
  /** Events of a paused endpoint wait, as long as events are stored. */
  enabled: z.boolean(),
}

/** Why an endpoint was paused by the service: all attempts of three days failed, or the endpoint responded with 410. */
export const WebhookFailure = z.enum(['failing', 'gone'])

/** An endpoint of webhooks, without its secrets. */
export const WebhookEndpoint = z.object({
  endpoint_id: z.uuid(),
  ...webhookSettings,
  paused_because: WebhookFailure.nullable(),
  /** Since when every attempt has failed. */
  failing_since: Timestamp.nullable(),
  /** Events that were not sent yet, and those whose next attempt is planned. */
  backlog: Count,
  waiting: Count,
  /** Of `v1a`: with it, receivers verify signatures. */
  public_key: z.string().nullable(),
  /** When each valid secret was created, and when it ends, newest first. */
  secrets: z.array(z.object({ created_at: Timestamp, expires_at: Timestamp.nullable() })),
  created_at: Timestamp,
  revision: Count,
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** Why a request has no response. */
export const requestErrors = ['timeout', 'tls', 'address_blocked', 'network'] as const

/** One request to an endpoint. */
export const WebhookAttempt = z.object({
  at: Timestamp,
  duration_ms: Count,
  /** Of the response; null if there was none. */
  status: z.int().nullable(),
  error: z.enum(requestErrors).nullable(),
  /** The beginning of a response that is not 2xx. */
  response: z.string().nullable(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/** `failed`: after the last attempt. */
export const DeliveryStatus = z.enum(['waiting', 'delivered', 'failed'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** An event that is sent to an endpoint. */
export const WebhookDelivery = z.object({
  event_id: z.uuid(),
  sequence: Count,
  type: EventType,
  status: DeliveryStatus,
  /** Oldest first. */
  attempts: z.array(WebhookAttempt),
  /** Null if it waits for an earlier event of its user, and if there is none. */
  next_attempt_at: Timestamp.nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** A delivery of an event about a user: to which endpoint, and the time of the last attempt. */
export const UserDelivery = z.object({
  endpoint: z.string(),
  url: z.string(),
  type: EventType,
  event_time: Timestamp,
  status: DeliveryStatus,
  attempts: Count,
  last_attempt_at: Timestamp.nullable(),
})
export type UserDelivery = z.infer<typeof UserDelivery>

import { z } from 'zod'
import { limits } from '../limits.ts'
import {
  DeliveryStatus,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  webhookSettings,
} from '../objects/webhook.ts'
import { Count, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export {
  DeliveryStatus,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  webhookSettings,
} from '../objects/webhook.ts'

const WebhookReference = SiteReference.extend({ endpoint_id: z.uuid() })
const urlRejected = 'The URL is not allowed: it must use https and have a public address.'
const { signature: _, ...changeable } = webhookSettings
/** The secret of `v1`, only in this response; null for `v1a`, whose public key is in the webhook. */
const Issued = z.object({ webhook: WebhookEndpoint, secret: z.string().nullable() })

const help = {
  name: 'name of the webhook, unique within the site',
  enabled: 'whether events are sent; those of a paused webhook wait',
}

export const adminWebhookProcedures = adminProcedures({
  listWebhooks: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/webhooks',
    summary: 'Webhooks of a site: the endpoints to which its events are sent',
    role: 'viewer',
    input: SiteReference,
    output: z.object({ webhooks: z.array(WebhookEndpoint) }),
  },
  createWebhook: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/webhooks',
    summary: 'Create a webhook. It receives the events that follow. Its secret is returned in this response only',
    role: 'owner',
    sensitive: true,
    form: 'webhook',
    help,
    input: SiteReference.extend({
      ...webhookSettings,
      types: webhookSettings.types.default(null),
      signature: webhookSettings.signature.default('v1'),
      ordered: webhookSettings.ordered.default(false),
      enabled: webhookSettings.enabled.default(true),
    }),
    output: Issued,
    faults: {
      invalid_request: `${urlRejected} Or the site has ${limits.webhook_endpoints} webhooks.`,
      conflict: 'The site has a webhook of this name.',
    },
  },
  readWebhook: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/webhooks/{endpoint_id}',
    summary: 'A webhook',
    role: 'viewer',
    versioned: true,
    input: WebhookReference,
    output: WebhookEndpoint,
  },
  changeWebhook: {
    method: 'PATCH',
    path: '/accounts/{account}/sites/{site_id}/webhooks/{endpoint_id}',
    summary: 'Change, pause or resume a webhook. Omitted fields keep their values',
    role: 'editor',
    sensitive: ['url'],
    versioned: true,
    help,
    input: WebhookReference.extend(z.object(changeable).partial().shape),
    output: WebhookEndpoint,
    faults: { invalid_request: urlRejected, conflict: 'The site has a webhook of this name.' },
  },
  removeWebhook: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/webhooks/{endpoint_id}',
    summary: 'Remove a webhook with its deliveries',
    role: 'owner',
    sensitive: true,
    input: WebhookReference,
    output: z.object({}),
  },
  rollWebhookSecret: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/webhooks/{endpoint_id}/secrets',
    summary: 'Replace the secret. Requests are signed with both until the old one expires',
    role: 'owner',
    sensitive: true,
    input: WebhookReference.extend({
      overlap_hours: z.int().min(0).max(limits.webhook_secret_overlap_hours).default(24),
    }),
    output: Issued,
  },
  testWebhook: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/webhooks/{endpoint_id}/tests',
    summary: 'Send a test event now, and return the response of the endpoint',
    role: 'editor',
    input: WebhookReference,
    output: WebhookAttempt,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/webhooks/{endpoint_id}/deliveries',
    summary: 'Events that were sent to a webhook, newest first, with every attempt',
    role: 'editor',
    input: WebhookReference.extend({
      delivery_status: DeliveryStatus.optional(),
      before: z.coerce.number().pipe(Count).optional(),
      limit: z.coerce.number().pipe(z.int().min(1).max(limits.webhook_deliveries_maximum)).default(20),
    }),
    output: z.object({ deliveries: z.array(WebhookDelivery) }),
  },
  replayWebhookDeliveries: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/webhooks/{endpoint_id}/replays',
    summary: `Send events again: single ones, those of a period, or all that failed; at most ${limits.replayed_events} at once`,
    role: 'editor',
    input: WebhookReference.extend({
      event_ids: z.array(z.uuid()).min(1).max(100).optional(),
      recorded_since: Timestamp.optional(),
      recorded_until: Timestamp.optional(),
      failed: z.literal(true).optional(),
    }),
    output: z.object({ planned: Count }),
    faults: { invalid_request: 'The selection is missing, or there are several.' },
  },
})

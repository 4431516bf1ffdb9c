import { z } from 'zod'
import { limits } from './limits.ts'
import { EventType } from './objects/event.ts'
import { EventObject } from './objects/event-object.ts'
import {
  DeliveryStatus,
  UserDelivery,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  webhookSettings,
} from './objects/webhook.ts'
import { Count, Identifier, Site, Slug, Timestamp } from './scalars.ts'

const EndpointName = z.object({ site: Site, endpoint_id: z.uuid() })
/** The new secret of `v1`, only in this response. The public key of `v1a` is in the endpoint; its secret is never returned. */
const secret = z.string().nullable()

/** Which events are sent again to an endpoint: by their IDs, by the time at which they were recorded, or all that failed. */
export const ReplaySelection = z.union([
  z.strictObject({ event_ids: z.array(z.uuid()).min(1).max(limits.replayed_events) }),
  z.strictObject({ from: Timestamp, to: Timestamp }),
  z.strictObject({ failed: z.literal(true) }),
])
export type ReplaySelection = z.infer<typeof ReplaySelection>

/** Procedures of the events service about endpoints to which it sends events. */
export const webhookProcedures = {
  /**
   * The events after a position as endpoints receive them; `newest`: none, and the position after the newest event. Without `after`,
   * from the oldest stored one. `invalid_parameter`: it is not a position. `events_deleted` as in `listEvents`.
   */
  listEventObjects: {
    input: z.object({
      site: Site,
      account: Slug,
      site_id: Slug,
      after: z.string().optional(),
      types: z.array(EventType).min(1).optional(),
      /** Only events of this user, also if it was merged into another one. */
      identifier: Identifier.optional(),
      limit: z.int().min(1).max(limits.events_maximum),
    }),
    output: z.object({ events: z.array(EventObject), next_after: z.string(), more: z.boolean() }),
    faults: ['events_deleted', 'invalid_parameter'],
    repeatable: true,
  },
  listEndpoints: {
    input: z.object({ site: Site }),
    output: z.object({ endpoints: z.array(WebhookEndpoint) }),
    faults: [],
    repeatable: true,
  },
  readEndpoint: { input: EndpointName, output: WebhookEndpoint, faults: ['entity_not_found'], repeatable: true },
  /**
   * `already_exists`: the site has an endpoint of this name. `invalid_parameter`: it has the maximum number of endpoints, or this
   * installation does not allow the URL.
   */
  createEndpoint: {
    input: z.object({ site: Site, account: Slug, site_id: Slug, ...webhookSettings }),
    output: z.object({ endpoint: WebhookEndpoint, secret }),
    faults: ['already_exists', 'invalid_parameter'],
  },
  /** Changes the given fields only. Another kind of signature needs another endpoint. */
  changeEndpoint: {
    input: EndpointName.extend({
      expected_revision: Count,
      ...z.object(webhookSettings).omit({ signature: true }).partial().shape,
    }),
    output: WebhookEndpoint,
    faults: ['entity_not_found', 'changed_meanwhile', 'already_exists', 'invalid_parameter'],
  },
  removeEndpoint: { input: EndpointName, output: z.object({}), faults: ['entity_not_found'] },
  /** Adds a secret. Requests are signed with it and with the others, which remain valid for so many hours. */
  rollEndpointSecret: {
    input: EndpointName.extend({ overlap_hours: z.int().min(0).max(limits.webhook_secret_overlap_hours) }),
    output: z.object({ endpoint: WebhookEndpoint, secret }),
    faults: ['entity_not_found'],
  },
  /** Sends a test event now, also to a paused endpoint. It is not in the stream, and not repeated. */
  testEndpoint: { input: EndpointName, output: WebhookAttempt, faults: ['entity_not_found'] },
  /** Newest event first. */
  listDeliveries: {
    input: EndpointName.extend({
      status: DeliveryStatus.optional(),
      /** Only events before this number. */
      before: Count.optional(),
      limit: z.int().min(1).max(limits.webhook_deliveries_maximum),
    }),
    output: z.object({ deliveries: z.array(WebhookDelivery) }),
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /** Deliveries of the stored events of a user, newest event first. */
  listDeliveriesOfUser: {
    input: z.object({ site: Site, identifier: Identifier, limit: z.int().min(1).max(limits.events_maximum) }),
    output: z.object({ deliveries: z.array(UserDelivery) }),
    faults: [],
    repeatable: true,
  },
  /** Plans deliveries at once. `planned`: how many; at most `replayed_events`, oldest first. */
  replayDeliveries: {
    input: EndpointName.extend({ selection: ReplaySelection }),
    output: z.object({ planned: Count }),
    faults: ['entity_not_found'],
  },
} as const

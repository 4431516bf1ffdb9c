import type { Knex } from 'knex'
import type { DeliveryStatus, StreamEvent, WebhookAttempt } from '#contracts'
import { defineBatchStatement, defineStatement, type PersonalData } from '#database'
import { type EventRow, eventColumns, toEvent } from './events.ts'
import type { EndpointKey } from './webhook-endpoints.ts'

/** A delivery whose next attempt is due, with its event. */
export interface DueDelivery {
  readonly event: StreamEvent
  readonly attempts: readonly WebhookAttempt[]
  readonly tries: number
}

const selectDue = defineStatement<EventRow & Omit<DueDelivery, 'event'>>(
  `select d.attempts, d.tries, ${eventColumns('e')}
   from webhook_deliveries d join events e on e.site = d.site and e.sequence = d.sequence
   where d.site = $1 and d.endpoint_id = $2 and d.next_attempt_at <= now()
     and not ($3::boolean and exists (
       select from webhook_deliveries earlier
       where earlier.site = $1 and earlier.endpoint_id = d.endpoint_id and earlier.identifier = d.identifier
         and earlier.status = 'waiting' and earlier.sequence < d.sequence))
   order by d.next_attempt_at limit $4`,
)

/** The deliveries of an endpoint that are due; if it is ordered, only the first waiting one of each user. */
export async function listDueDeliveries(
  knex: Knex,
  eventData: PersonalData,
  { site, endpoint_id, ordered }: EndpointKey & { readonly ordered: boolean },
  limit: number,
): Promise<DueDelivery[]> {
  const { rows } = await selectDue(knex, [site, endpoint_id, ordered, limit])
  return Promise.all(
    rows.map(async (row) => ({
      event: await toEvent(knex, eventData, site, row),
      attempts: row.attempts,
      tries: row.tries,
    })),
  )
}

const selectWaitingUsers = defineStatement<{ identifier: string }>(
  `select distinct identifier from webhook_deliveries
   where site = $1 and endpoint_id = $2 and status = 'waiting' and identifier = any($3)`,
)

/** Those of the users who have waiting deliveries at an endpoint. */
export async function listWaitingUsers(
  knex: Knex,
  { site, endpoint_id }: EndpointKey,
  identifiers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await selectWaitingUsers(knex, [site, endpoint_id, identifiers])
  return new Set(rows.map(({ identifier }) => identifier))
}

/** A delivery after an attempt, or one that waits for an earlier one of its user. */
export interface DeliveryResult {
  readonly sequence: number
  readonly identifier: string
  readonly status: DeliveryStatus
  readonly attempts: readonly WebhookAttempt[]
  readonly tries: number
  /** Seconds until the next attempt. */
  readonly pauseSeconds: number | null
}

/** Attempts without responses: receivers can repeat personal data in them. */
const withoutResponses = (attempts: string) =>
  `(select coalesce(jsonb_agg(attempt || '{"response": null}'), '[]') from jsonb_array_elements(${attempts}) as attempt)`

const upsertEach = defineStatement(
  `insert into webhook_deliveries (site, endpoint_id, sequence, identifier, status, attempts, tries, next_attempt_at)
   select $1::integer, $2::uuid, result.sequence, result.identifier, status,
     case when data is null then ${withoutResponses('attempts')} else attempts end, tries,
     now() + make_interval(secs => pause)
   from unnest($3::bigint[], $4::text[], $5::text[], $6::jsonb[], $7::integer[], $8::float8[])
     as result (sequence, identifier, status, attempts, tries, pause)
   left join events on events.site = $1 and events.sequence = result.sequence
   on conflict (site, endpoint_id, sequence) do update set status = excluded.status, attempts = excluded.attempts,
     tries = excluded.tries, next_attempt_at = excluded.next_attempt_at`,
)

/** Stores results at a locked endpoint, in a shared stream; without responses if the user of the event was deleted meanwhile. */
export async function storeDeliveries(
  trx: Knex.Transaction,
  { site, endpoint_id }: EndpointKey,
  results: readonly DeliveryResult[],
): Promise<void> {
  if (results.length === 0) return
  await upsertEach(trx, [
    site,
    endpoint_id,
    results.map(({ sequence }) => sequence),
    results.map(({ identifier }) => identifier),
    results.map(({ status }) => status),
    results.map(({ attempts }) => JSON.stringify(attempts)),
    results.map(({ tries }) => tries),
    results.map(({ pauseSeconds }) => pauseSeconds),
  ])
}

const releaseEach = defineStatement(
  `update webhook_deliveries d set next_attempt_at = now()
   where d.site = $1 and d.endpoint_id = $2 and d.status = 'waiting' and d.next_attempt_at is null
     and d.identifier = any($3) and not exists (
       select from webhook_deliveries earlier
       where earlier.site = $1 and earlier.endpoint_id = d.endpoint_id and earlier.identifier = d.identifier
         and earlier.status = 'waiting' and earlier.sequence < d.sequence)`,
)

/** Makes the first waiting delivery of each user due, at an ordered endpoint. */
export async function releaseNextDeliveries(
  trx: Knex.Transaction,
  { site, endpoint_id }: EndpointKey,
  identifiers: readonly string[],
): Promise<void> {
  if (identifiers.length > 0) await releaseEach(trx, [site, endpoint_id, identifiers])
}

const updateProgress = defineStatement(
  `update webhook_endpoints set sequence = greatest(sequence, $3),
     failing_since = case when $4 then null when $5 then coalesce(failing_since, clock.now) else failing_since end,
     enabled = enabled and $6::text is null, paused_because = coalesce($6, paused_because)
   -- A distributed table does not evaluate now() in a condition.
   from (select now()) as clock (now)
   where site = $1 and endpoint_id = $2`,
)

/** Stores how far a locked endpoint is. */
export async function storeProgress(
  trx: Knex.Transaction,
  { site, endpoint_id }: EndpointKey,
  progress: {
    readonly sequence: number
    readonly hasDelivered: boolean
    readonly hasFailed: boolean
    readonly pausedBecause: 'failing' | 'gone' | null
  },
): Promise<void> {
  const { sequence, hasDelivered, hasFailed, pausedBecause } = progress
  await updateProgress(trx, [site, endpoint_id, sequence, hasDelivered, hasFailed, pausedBecause])
}

/** Deletes at most `limit` deliveries of events that were deleted. @returns their number */
export async function deleteOldDeliveries(knex: Knex, limit: number): Promise<number> {
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `delete from webhook_deliveries where (site, endpoint_id, sequence) in (
       select d.site, d.endpoint_id, d.sequence from webhook_endpoints e join sites s on s.site = e.site
       join webhook_deliveries d on d.site = e.site and d.endpoint_id = e.endpoint_id and d.sequence <= s.deleted_up_to
       limit ?)`,
    [limit],
  )
  return rowCount
}

const eraseEach = defineBatchStatement(
  { identifier: 'text' },
  (given) =>
    `update webhook_deliveries d set attempts = ${withoutResponses('d.attempts')}
     from ${given}
     join events on events.site = given.site and events.identifier = given.identifier
     join webhook_endpoints p on p.site = given.site
     where d.site = given.site and d.endpoint_id = p.endpoint_id and d.sequence = events.sequence`,
)

/** Deletes responses to events of removed users. */
export async function eraseResponses(
  trx: Knex.Transaction,
  users: readonly { readonly site: number; readonly identifier: string }[],
): Promise<void> {
  await eraseEach(trx, users)
}

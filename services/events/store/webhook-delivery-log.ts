import type { Knex } from 'knex'
import type { DeliveryStatus, EventTypeName, ReplaySelection, WebhookDelivery } from '#contracts'
import { toTimestampOrNull } from '#runtime'
import { releaseNextDeliveries } from './webhook-deliveries.ts'
import type { EndpointKey } from './webhook-endpoints.ts'

interface DeliveryFilter extends EndpointKey {
  readonly status: DeliveryStatus | undefined
  /** Only older ones. */
  readonly before: number | undefined
}

/** Deliveries of an endpoint, newest event first. */
export async function selectDeliveries(
  knex: Knex,
  { site, endpoint_id, status, before }: DeliveryFilter,
  limit: number,
): Promise<WebhookDelivery[]> {
  const query = knex('webhook_deliveries as d')
    .join('events as e', (join) => join.on('e.site', 'd.site').on('e.sequence', 'd.sequence'))
    .where({ 'd.site': site, 'd.endpoint_id': endpoint_id })
    .orderBy('d.sequence', 'desc')
    .limit(limit)
    .select('e.id as event_id', 'e.type', 'd.sequence', 'd.status', 'd.attempts', 'd.next_attempt_at')
  if (status !== undefined) query.where('d.status', status)
  if (before !== undefined) query.where('d.sequence', '<', before)
  const rows: (Omit<WebhookDelivery, 'next_attempt_at'> & { next_attempt_at: Date | null })[] = await query
  return rows.map((row) => ({ ...row, next_attempt_at: toTimestampOrNull(row.next_attempt_at) }))
}

/**
 * Plans deliveries again, at once; for an ordered endpoint, one after another. Events that were not sent yet are not selected.
 *
 * @param endpoint locked
 * @returns how many, at most `limit`
 */
export async function planDeliveries(
  trx: Knex.Transaction,
  endpoint: EndpointKey & {
    readonly ordered: boolean
    readonly types: readonly EventTypeName[] | null
    readonly sequence: number
  },
  selection: ReplaySelection,
  limit: number,
): Promise<number> {
  const { site, endpoint_id, ordered, types, sequence } = endpoint
  const events = trx('events').where({ site }).where('sequence', '<=', sequence).orderBy('sequence').limit(limit)
  if ('event_ids' in selection) events.whereIn('id', [...selection.event_ids])
  else if ('from' in selection) events.whereBetween('recorded_at', [selection.from, selection.to])
  else
    events.whereIn(
      'sequence',
      trx('webhook_deliveries')
        .where({ site, endpoint_id, status: 'failed' })
        .orderBy('sequence')
        .limit(limit)
        .select('sequence'),
    )
  // A single event can be of any type.
  if (types !== null && !('event_ids' in selection)) events.whereIn('type', [...types])
  const selected = await events.select('sequence', 'identifier')
  if (selected.length === 0) return 0
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into webhook_deliveries (site, endpoint_id, sequence, identifier, status, attempts, tries, next_attempt_at)
     select :site, :endpoint_id, sequence, identifier, 'waiting', '[]', 0, case when :ordered then null else now() end
     from unnest(:sequences::bigint[], :identifiers::text[]) as selected (sequence, identifier)
     on conflict (site, endpoint_id, sequence) do update set status = 'waiting', tries = 0,
       next_attempt_at = excluded.next_attempt_at`,
    {
      site,
      endpoint_id,
      ordered,
      sequences: selected.map((row) => row.sequence),
      identifiers: selected.map((row) => row.identifier),
    },
  )
  if (ordered) await releaseNextDeliveries(trx, endpoint, [...new Set(selected.map((row) => row.identifier))])
  return rowCount
}

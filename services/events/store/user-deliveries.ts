import type { UserDelivery } from '#contracts'
import { defineStatement, type Executor } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'

type Row = Omit<UserDelivery, 'event_time' | 'last_attempt_at'> & {
  readonly event_time: Date
  readonly last_attempt_at: Date | null
}

const selectDeliveries = defineStatement<Row>(
  `select p.name as endpoint, p.url, e.type, e."time" as event_time, d.status,
     jsonb_array_length(d.attempts) as attempts, (d.attempts -> -1 ->> 'at')::timestamptz as last_attempt_at
   from events e join webhook_endpoints p on p.site = e.site
   join webhook_deliveries d on d.site = e.site and d.endpoint_id = p.endpoint_id and d.sequence = e.sequence
   where e.site = $1 and e.identifier = $2
   order by e.sequence desc, p.name limit $3`,
)

/** Deliveries of the stored events of a user, newest event first. */
export async function selectDeliveriesOfUser(
  executor: Executor,
  { site, identifier }: { readonly site: number; readonly identifier: string },
  limit: number,
): Promise<UserDelivery[]> {
  const { rows } = await selectDeliveries(executor, [site, identifier, limit])
  return rows.map((row) => ({
    ...row,
    event_time: toTimestamp(row.event_time),
    last_attempt_at: toTimestampOrNull(row.last_attempt_at),
  }))
}

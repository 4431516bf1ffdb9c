import type { EventTypeName, StreamEvent } from '#contracts'
import { defineStatement, type Executor, type PersonalData } from '#database'
import { type EventRow, eventColumns, toEvent } from './events.ts'

const selectLatest = defineStatement<EventRow>(
  `select ${eventColumns('events')} from events
   where site = $1 and identifier = $2 and ($3::text[] is null or type = any($3)) order by sequence desc limit $4`,
)

interface HistoryQuery {
  readonly site: number
  readonly identifier: string
  readonly types?: readonly EventTypeName[] | undefined
  readonly limit: number
}

/** The latest events of a user, the latest first. */
export async function selectHistory(
  executor: Executor,
  eventData: PersonalData,
  { site, identifier, types, limit }: HistoryQuery,
): Promise<StreamEvent[]> {
  const { rows } = await selectLatest(executor, [site, identifier, types ?? null, limit])
  return Promise.all(rows.map((row) => toEvent(executor, eventData, site, row)))
}

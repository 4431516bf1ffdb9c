import { defineStatement, type Executor } from '#database'

const countErased = defineStatement<{ events: number }>(
  // Events before an earlier deletion belong to that one: an identifier can be imported again.
  `select (
     select count(*)::integer from events e
     where e.site = $1 and e.identifier = $2 and e.sequence < removal.sequence and e.sequence > coalesce((
       select max(earlier.sequence) from events earlier
       where earlier.site = $1 and earlier.identifier = $2 and earlier.sequence < removal.sequence
         and earlier.type = 'user.deleted'), 0)
   ) as events
   from events removal
   where removal.site = $1 and removal.identifier = $2 and removal.type = 'user.deleted' and removal."time" = $3`,
)

/**
 * The number of stored events whose data was deleted with their user: the rows remain. Undefined: the event of the deletion is not in
 * the stream.
 */
export async function countErasedEvents(
  executor: Executor,
  { site, identifier }: { readonly site: number; readonly identifier: string },
  deletedAt: Date,
): Promise<number | undefined> {
  return (await countErased(executor, [site, identifier, deletedAt])).rows[0]?.events
}

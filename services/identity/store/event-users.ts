import type { Knex } from 'knex'
import { defineBatchStatement, type Reader, splitBySite } from '#database'

/** How another service names a user: by the link, if it exists, else by identifier. */
export interface EventSubject {
  readonly site: number
  readonly identifier?: string | undefined
  readonly link_id?: string | undefined
}

interface EventUserRow {
  readonly place: number
  readonly identifier: string
  readonly primary_key: string | null
  readonly is_waiting: boolean
}

const selectEach = defineBatchStatement<EventUserRow, 'place' | 'identifier' | 'link_id'>(
  { place: 'integer', identifier: 'text', link_id: 'uuid' },
  (given) => `select place, users.identifier, users.primary_key,
     exists (select from pending_events p where p.site = named.site and p.subject = named.identifier) as is_waiting
   from (
     select given.place, given.site, coalesce(l.identifier, given.identifier) as identifier
     from ${given}
     left join links l on l.site = given.site and l.link_id = given.link_id
   ) as named
   join users on users.site = named.site and users.identifier = named.identifier`,
)

/** The users of these subjects, by their places, from 1, in the list. Those who do not exist are absent. */
export async function selectEventUsers(
  { knex, reader }: { readonly knex: Knex; readonly reader: Reader },
  subjects: readonly EventSubject[],
): Promise<ReadonlyMap<number, EventUserRow>> {
  const given = subjects.map(({ site, identifier = null, link_id = null }, index) => ({
    site,
    place: index + 1,
    identifier,
    link_id,
  }))
  const results = await Promise.all(splitBySite(knex, given).map((batch) => selectEach(reader, batch)))
  return new Map(results.flat().map((row) => [row.place, row]))
}

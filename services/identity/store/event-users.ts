import { defineStatement, type Executor } from '#database'

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

const selectEach = defineStatement<EventUserRow>(
  `select place::integer, users.identifier, users.primary_key,
     exists (select from pending_events p where p.site = users.site and p.subject = users.identifier) as is_waiting
   from (
     select given.place, given.site, coalesce(l.identifier, given.identifier) as identifier
     from unnest($1::integer[], $2::text[], $3::uuid[]) with ordinality as given (site, identifier, link_id, place)
     left join links l on l.site = given.site and l.link_id = given.link_id
   ) as named
   join users on users.site = named.site and users.identifier = named.identifier`,
)

/** The users of these subjects, by their places, from 1, in the list. Those who do not exist are absent. */
export async function selectEventUsers(
  executor: Executor,
  subjects: readonly EventSubject[],
): Promise<ReadonlyMap<number, EventUserRow>> {
  const { rows } = await selectEach(executor, [
    subjects.map(({ site }) => site),
    subjects.map(({ identifier }) => identifier ?? null),
    subjects.map(({ link_id }) => link_id ?? null),
  ])
  return new Map(rows.map((row) => [row.place, row]))
}

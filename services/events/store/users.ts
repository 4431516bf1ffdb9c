import type { Knex } from 'knex'
import { defineBatchStatement, defineStatement, sweepRows } from '#database'
import type { UserState } from '../domain/place-events.ts'

const selectEach = defineBatchStatement<UserState, 'identifier'>(
  { identifier: 'text' },
  (given) =>
    `select site, identifier, primary_key, last_sequence, removed_at is not null as removed from users
     where (site, identifier) in (select site, identifier from ${given})`,
)

/** The stored users of sites whose streams are locked. */
export async function listUserStates(
  trx: Knex.Transaction,
  users: readonly { readonly site: number; readonly identifier: string }[],
): Promise<UserState[]> {
  return selectEach(trx, users)
}

const upsertEach = defineStatement(
  `insert into users (site, identifier, primary_key, last_sequence, removed_at)
   select site, identifier, primary_key, last_sequence, case when removed then now() end
   from unnest($1::integer[], $2::text[], $3::text[], $4::integer[], $5::boolean[])
     as given (site, identifier, primary_key, last_sequence, removed)
   on conflict (site, identifier) do update set primary_key = excluded.primary_key,
     last_sequence = excluded.last_sequence, removed_at = excluded.removed_at`,
)

/** Stores users of sites whose streams are locked. Of removed ones, the identifier remains. */
export async function upsertUsers(trx: Knex.Transaction, users: readonly UserState[]): Promise<void> {
  await upsertEach(trx, [
    users.map(({ site }) => site),
    users.map(({ identifier }) => identifier),
    users.map(({ removed, primary_key }) => (removed ? null : primary_key)),
    users.map(({ last_sequence }) => last_sequence),
    users.map(({ removed }) => removed),
  ])
}

/** Deletes users who were removed so many days ago: no event of them can arrive any more. */
export async function deleteOldRemovedUsers(knex: Knex, days: number): Promise<void> {
  const condition = 'removed_at < now() - make_interval(days => :days)'
  await sweepRows(knex, { table: 'users', key: ['site', 'identifier'], condition }, { days })
}

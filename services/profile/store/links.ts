import type { Knex } from 'knex'
import { defineStatement } from '#database'
import type { ProfileKey } from './stored-profile.ts'

/** The user who owns a link of a site. */
export interface LinkOwner {
  readonly link_id: string
  readonly identifier: string
}

const upsertEach = defineStatement<{ link_id: string }>(
  `insert into links as stored (site, link_id, identifier, owned_since)
   select distinct $1::integer, given.link_id, $2, $3::timestamptz
   from unnest($4::uuid[]) as given (link_id)
   where not exists (
     select from deleted_link_data as d where d.site = $1 and d.link_id = given.link_id and deleted_until = 'infinity'
     union all select from site_deletions as gone where gone.site = $1 and gone.table_name = ''
   )
   on conflict (site, link_id) do update set identifier = excluded.identifier, owned_since = excluded.owned_since
   where stored.owned_since < excluded.owned_since
   returning link_id`,
)

/**
 * Stores the owner of locked links since a time of identity's clock, unless a newer owner is stored or a link is deleted.
 *
 * @returns the links whose owner is new or changed
 */
export async function upsertOwners(
  trx: Knex.Transaction,
  { site, identifier }: ProfileKey,
  linkIds: readonly string[],
  ownedSince: Date,
): Promise<string[]> {
  const { rows } = await upsertEach(trx, [site, identifier, ownedSince, linkIds])
  return rows.map(({ link_id }) => link_id)
}

const selectOwners = defineStatement<LinkOwner>(
  'select link_id, identifier from links where site = $1 and link_id = any($2)',
)

export async function listOwners(
  trx: Knex.Transaction,
  site: number,
  linkIds: readonly string[],
): Promise<LinkOwner[]> {
  return (await selectOwners(trx, [site, linkIds])).rows
}

export async function listLinkIds(knex: Knex, { site, identifier }: ProfileKey): Promise<string[]> {
  return knex('links').where({ site, identifier }).pluck('link_id')
}

const deleteEach = defineStatement('delete from links where site = $1 and link_id = any($2)')

/** Deletes links with their data. */
export async function deleteOwners(trx: Knex.Transaction, site: number, linkIds: readonly string[]): Promise<void> {
  await deleteEach(trx, [site, linkIds])
}

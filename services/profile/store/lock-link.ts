import type { Knex } from 'knex'
import type { ExcludedFields } from '#contracts'
import { defineStatement, lockOfLink } from '#database'
import { lockExcludedFieldsShared } from './excluded-fields.ts'

/** What is known of a link for which a provider supplied data. */
export interface LockedLink {
  /** Of the link's site. */
  readonly excluded_fields: ExcludedFields | null
  /** Whether data obtained at the given time was deleted. */
  readonly is_deleted: boolean
  /** The identifier of the user who has it; null if it has no data yet. */
  readonly owner: string | null
}

const lockFieldsAndLink = defineStatement(`select ${lockExcludedFieldsShared('$1')}, ${lockOfLink('$2')}`)
const selectLink = defineStatement<LockedLink>(
  `select
     (select fields from excluded_fields where site = $1) as excluded_fields,
     exists (select from deleted_link_data where site = $1 and link_id = $2 and deleted_until >= $3
       union all select from site_deletions where site = $1 and table_name = '') as is_deleted,
     (select identifier from links where site = $1 and link_id = $2) as owner`,
)

/** Locks a link and the excluded fields of its site until the transaction ends, to store data that was obtained at a time. */
export async function lockLinkForData(
  trx: Knex.Transaction,
  { site, link_id, obtained_at }: { readonly site: number; readonly link_id: string; readonly obtained_at: Date },
): Promise<LockedLink> {
  await lockFieldsAndLink(trx, [site, link_id])
  // A separate statement: it sees what was committed while the first one waited.
  const [link] = (await selectLink(trx, [site, link_id, obtained_at])).rows
  if (link === undefined) throw new Error('The statement returned no row.')
  return link
}

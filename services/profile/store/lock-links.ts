import type { Knex } from 'knex'
import { defineStatement, lockOfLink } from '#database'
import { lockExcludedFieldsShared } from './excluded-fields.ts'

const lockSettingsAndEach = defineStatement(
  `select ${lockExcludedFieldsShared('$1')}
   union all select ${lockOfLink('link_id')}
   from (select distinct link_id from unnest($2::text[]) as link_id order by link_id) as links`,
)

/**
 * Locks links, and shared with others the settings of their site, until the transaction ends: a change of a setting waits for
 * transactions that began with the previous one. As with `lockLinks`, every transaction locks all its links at once.
 */
export async function lockSettingsAndLinks(
  trx: Knex.Transaction,
  site: number,
  linkIds: readonly string[],
): Promise<void> {
  await lockSettingsAndEach(trx, [site, linkIds])
}

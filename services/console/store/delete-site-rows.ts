import type { Knex } from 'knex'
import type { SiteReference } from '#admin-api'
import type { DeletedRows } from '#contracts'
import { countDeleted, deleteSiteRows, readDeletedRows, transaction } from '#database'
import { consoleTables } from '../site-tables.ts'
import { deleteWithoutRole } from './members.ts'

/** Deletes what the console stores of a closed site, except the audit trail. As `deleteSite` of the other services. */
export async function deleteConsoleRows(
  knex: Knex,
  { site, account, site_id }: SiteReference & { readonly site: number },
): Promise<{ readonly done: boolean; readonly deleted: DeletedRows }> {
  const done = await deleteSiteRows(knex, site, consoleTables)
  if (done) await transaction(knex, (trx) => deleteNames(trx, { site, account, site_id }))
  return { done, deleted: await readDeletedRows(knex, site) }
}

/** Deletes roles, notices and rules for the site. What was only for this site goes with it: it must not become valid for all sites. */
async function deleteNames(
  trx: Knex.Transaction,
  { site, account, site_id }: SiteReference & { readonly site: number },
): Promise<void> {
  const count = (table: string, rows: number) => countDeleted(trx, site, table, rows)
  const members: string[] = (
    await trx('member_site_roles').where({ account, site_id }).delete().returning<{ member_id: string }[]>('member_id')
  ).map(({ member_id }) => member_id)
  await count('member_site_roles', members.length)
  for (const memberId of members.toSorted()) await deleteWithoutRole(trx, memberId)
  await trx.raw('update invitations set site_roles = site_roles - ? where account = ?', [site_id, account])
  const invitations = trx('invitations').where({ account, role: 'none' })
  await count('invitations', await invitations.whereRaw("site_roles = '{}'").delete())
  await count('notices', await trx('notices').where({ account, site_id }).delete())
  const channels = trx('notice_channels').where({ account }).whereRaw('sites = array[?]', [site_id])
  await count('notice_channels', await channels.delete())
  await trx.raw(
    `update notice_channels set sites = array_remove(sites, :site_id), revision = revision + 1
     where account = :account and :site_id = any(sites)`,
    { account, site_id },
  )
  await trx.raw(
    `update account_providers set revision = nextval('account_provider_revisions'), role_rules =
       (select coalesce(jsonb_agg(rule order by place), '[]') from jsonb_array_elements(role_rules)
          with ordinality as rules (rule, place) where rule ->> 'site_id' is distinct from :site_id)
     where account = :account and exists
       (select from jsonb_array_elements(role_rules) as rule where rule ->> 'site_id' = :site_id)`,
    { account, site_id },
  )
}

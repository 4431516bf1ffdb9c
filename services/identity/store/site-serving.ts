import type { Knex } from 'knex'
import { Fault, limits, type MovedTo, type SiteServing } from '#contracts'
import { translateConstraintErrors } from '#database'
import { isNameClosed } from './closed-sites.ts'

interface SiteName {
  readonly account: string
  readonly site_id: string
}

interface ServingRow {
  readonly site: number
  readonly serving: SiteServing
  readonly moved_to: MovedTo | null
}

/** Which cell serves a site. */
export async function findSiteServing(knex: Knex, { account, site_id }: SiteName): Promise<ServingRow | undefined> {
  return knex('sites').where({ account, site_id, closed_at: null }).first('site', 'serving', 'moved_to')
}

/** Inserts a site whose settings and data arrive from another cell. @throws Fault `already_exists` */
export async function insertArrivingSite(
  trx: Knex.Transaction,
  { account, site_id, revision }: SiteName & { readonly revision: number },
): Promise<number> {
  if (await isNameClosed(trx, { account, site_id })) throw new Fault('already_exists')
  const { requests_per_window } = limits
  const row = { account, site_id, name: site_id, requests_per_window, serving: 'arriving', revision }
  const inserting = trx('sites').insert(row).returning<{ site: number }[]>('site')
  const [inserted] = await translateConstraintErrors(inserting, { sites_account_site_id_unique: 'already_exists' })
  if (inserted === undefined) throw new Error('The insert returned no row.')
  return inserted.site
}

/** Does nothing if a change with a higher order was first. */
export async function updateSiteServing(
  trx: Knex.Transaction,
  { site, serving, moved_to, order, revision }: ServingRow & { readonly order: number; readonly revision: number },
): Promise<void> {
  await trx('sites')
    .where({ site, closed_at: null })
    .where('serving_order', '<', order)
    .update({ serving, moved_to: moved_to && JSON.stringify(moved_to), serving_order: order, revision })
}

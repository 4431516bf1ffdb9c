import type { Knex } from 'knex'
import type { SiteRecord } from '#contracts'

export interface NewSite {
  readonly account: string
  readonly site_id: string
  readonly name: string
  readonly requests_per_window: number
  readonly revision: number
}

/** What of a site can be changed; what is undefined stays. */
export interface SiteChanges {
  readonly requests_per_window?: number | undefined
  readonly allowed_addresses?: readonly string[] | undefined
  readonly fixed_address_option?: boolean | undefined
}

/** The site's number. */
export async function findSite(
  knex: Knex,
  { account, site_id }: { account: string; site_id: string },
): Promise<number | undefined> {
  const row: { site: number } | undefined = await knex('sites').where({ account, site_id }).first('site')
  return row?.site
}

export async function insertSite(trx: Knex.Transaction, site: NewSite): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ site: number }] }>(
    `insert into sites (account, site_id, name, requests_per_window, revision)
     values (:account, :site_id, :name, :requests_per_window, :revision)
     returning site`,
    { ...site },
  )
  return rows[0].site
}

/** @returns false when there is no such site */
export async function updateSite(
  trx: Knex.Transaction,
  site: number,
  changes: SiteChanges & { readonly revision: number },
): Promise<boolean> {
  const updated = await trx('sites').where({ site }).update(changes)
  return updated > 0
}

/** Sites changed after a revision, oldest change first. */
export async function listSites(
  knex: Knex,
  { after_revision, limit }: { after_revision: number; limit: number },
): Promise<SiteRecord[]> {
  const { rows } = await knex.raw<{ rows: SiteRecord[] }>(
    `select site, account, site_id, requests_per_window, allowed_addresses, fixed_address_option, revision,
            array(select key_hash from api_keys k where k.site = s.site and revoked_at is null order by created_at) as key_hashes
     from sites s
     where revision > ?
     order by revision
     limit ?`,
    [after_revision, limit],
  )
  return rows
}

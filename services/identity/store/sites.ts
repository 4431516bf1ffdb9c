import type { Knex } from 'knex'
import { Fault, type SiteDetails, type SiteRecord } from '#contracts'
import { translateConstraintErrors } from '#database'
import { toTimestamp } from '#runtime'
import { isNameClosed } from './closed-sites.ts'

/** The settings of a site. */
type Settings = Omit<SiteDetails, 'site' | 'account' | 'site_id' | 'created_at' | 'revision'>

/** A new site. Undefined settings get the column's default. */
export type NewSite = Pick<SiteDetails, 'account' | 'site_id' | 'name' | 'requests_per_window'> &
  SiteChanges & {
    /** In the order of all sites' changes. */
    readonly revision: number
  }

/** Changes of a site. Undefined settings remain. */
export type SiteChanges = { readonly [K in keyof Settings]?: Settings[K] | undefined }

type SiteRow = Settings &
  Pick<SiteDetails, 'site' | 'account' | 'site_id'> & { readonly created_at: Date; readonly settings_revision: number }

const columns = [
  'site',
  'account',
  'site_id',
  'name',
  'kind',
  'domains',
  'requests_per_window',
  'allowed_addresses',
  'fixed_address_option',
  'profile_not_stored',
  'login_history_days',
  'profile_in_events',
  'provider_order',
  'provider_names',
  'compatibility',
  'start_url',
  'users_may_be_stale',
  'created_at',
  'settings_revision',
]

function toSite({ settings_revision, ...row }: SiteRow): SiteDetails {
  return { ...row, created_at: toTimestamp(row.created_at), revision: settings_revision }
}

/** The sites of an account, ordered by site_id. */
export async function selectSitesOfAccount(knex: Knex, account: string): Promise<SiteDetails[]> {
  const rows: SiteRow[] = await knex('sites').where({ account, closed_at: null }).orderBy('site_id').select(columns)
  return rows.map(toSite)
}

/**
 * Sites whose name or site_id contains a text in any case, ordered by name.
 *
 * @param accounts those whose sites are searched; null: all
 */
export async function searchSites(
  knex: Knex,
  {
    q,
    accounts,
    sites,
    limit,
  }: {
    readonly q: string
    readonly accounts: readonly string[] | null
    readonly sites: readonly { readonly account: string; readonly site_id: string }[]
    readonly limit: number
  },
): Promise<SiteDetails[]> {
  const found = knex('sites')
    .where({ closed_at: null })
    .whereRaw('position(lower(?) in lower(name)) + position(lower(?) in site_id) > 0', [q, q])
    .orderBy(['name', 'account', 'site_id'])
    .limit(limit)
  if (accounts !== null) {
    found.where((visible) => {
      visible.whereIn('account', accounts)
      if (sites.length > 0)
        visible.orWhereIn(
          ['account', 'site_id'],
          sites.map(({ account, site_id }) => [account, site_id]),
        )
    })
  }
  const rows: SiteRow[] = await found.select(columns)
  return rows.map(toSite)
}

export async function findSiteDetails(
  knex: Knex,
  { account, site_id }: { account: string; site_id: string },
): Promise<SiteDetails | undefined> {
  const row: SiteRow | undefined = await knex('sites').where({ account, site_id, closed_at: null }).first(columns)
  return row && toSite(row)
}

/** Finds a site and locks it until the transaction ends. */
export async function lockSite(trx: Knex.Transaction, site: number): Promise<SiteDetails | undefined> {
  const row: SiteRow | undefined = await trx('sites').where({ site, closed_at: null }).forNoKeyUpdate().first(columns)
  return row && toSite(row)
}

export async function findSiteByNumber(knex: Knex, site: number): Promise<SiteDetails | undefined> {
  const row: SiteRow | undefined = await knex('sites').where({ site, closed_at: null }).first(columns)
  return row && toSite(row)
}

/** The names of a site, also of one that was closed since. */
export async function findSiteName(
  knex: Knex,
  site: number,
): Promise<Pick<SiteDetails, 'account' | 'site_id'> | undefined> {
  return knex('sites').where({ site }).first('account', 'site_id')
}

/** The site's number. */
export async function findSite(
  knex: Knex,
  { account, site_id }: { account: string; site_id: string },
): Promise<number | undefined> {
  const row: { site: number } | undefined = await knex('sites')
    .where({ account, site_id, closed_at: null })
    .first('site')
  return row?.site
}

/** @throws Fault `already_exists`, also if the site was closed, or `entity_not_found` if the account does not exist */
export async function insertSite(trx: Knex.Transaction, site: NewSite): Promise<SiteDetails> {
  if (await isNameClosed(trx, site)) throw new Fault('already_exists')
  const inserting = trx('sites').insert(toColumns(site)).returning<SiteRow[]>(columns)
  const [row] = await translateConstraintErrors(inserting, {
    sites_account_site_id_unique: 'already_exists',
    sites_account_fk: 'entity_not_found',
  })
  if (row === undefined) throw new Error('The insert returned no row.')
  return toSite(row)
}

/** Updates the settings of a locked site and increments its revision. */
export async function updateSettings(
  trx: Knex.Transaction,
  site: number,
  changes: SiteChanges & { readonly revision: number },
): Promise<SiteDetails | undefined> {
  const [row] = await trx('sites')
    .where({ site })
    .update({ ...toColumns(changes), settings_revision: trx.raw('settings_revision + 1') })
    .returning<SiteRow[]>(columns)
  return row && toSite(row)
}

/** Converts objects to JSON; arrays are array columns. */
function toColumns<C extends SiteChanges>({ profile_not_stored, provider_names, ...changes }: C) {
  return {
    ...changes,
    ...(profile_not_stored !== undefined && { profile_not_stored: JSON.stringify(profile_not_stored) }),
    ...(provider_names !== undefined && { provider_names: JSON.stringify(provider_names) }),
  }
}

/** Sets the revision, so that gateways read the site again, and locks it. @returns false if the site does not exist */
export async function updateSiteRevision(trx: Knex.Transaction, site: number, revision: number): Promise<boolean> {
  return (await trx('sites').where({ site, closed_at: null }).update({ revision })) > 0
}

/** The sites that changed after a revision, oldest change first. Closed ones have no keys; those that arrive are not among them. */
export async function selectSites(
  knex: Knex,
  { after_revision, limit }: { after_revision: number; limit: number },
): Promise<SiteRecord[]> {
  const { rows } = await knex.raw<{ rows: SiteRecord[] }>(
    `select site, account, site_id, requests_per_window, allowed_addresses, fixed_address_option, compatibility,
            users_may_be_stale, revision, case serving when 'moved' then coalesce(moved_to ->> 'web_api_url', '') end as moved_to,
            array(select jsonb_build_object('api_key_id', api_key_id, 'key_hash', key_hash)
                  from api_keys k where k.site = s.site and revoked_at is null order by created_at) as keys
     from sites s
     where revision > :after_revision and closed_at is null and serving <> 'arriving'
     union all
     select site, account, site_id, 0, '{}', false, '{}', false, revision, null, '{}'
     from closed_sites where revision > :after_revision
     order by revision
     limit :limit`,
    { after_revision, limit },
  )
  return rows
}

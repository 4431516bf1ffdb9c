import type { Knex } from 'knex'
import { type HostProblem, type HostPurpose, limits } from '#contracts'
import { defineStatement, type Executor, transaction } from '#database'

/** A host of a site; `released`: it was served and is not any more. */
export interface SiteHostRow {
  readonly site: number
  readonly host: string
  readonly account: string
  readonly site_id: string
  readonly purpose: HostPurpose
  readonly state: 'claimed' | 'active' | 'suspended' | 'released'
  readonly token: string
  readonly problems: readonly HostProblem[]
  readonly created_at: Date
  readonly checked_at: Date | null
  readonly failing_since: Date | null
  readonly revision: number
}

const columns = `site, host, account, site_id, purpose, state, token, problems, created_at, checked_at, failing_since,
  revision`

const selectOfSite = defineStatement<SiteHostRow>(
  `select ${columns} from site_hosts where site = $1 and state <> 'released' order by created_at, host`,
)

/** The hosts of a site, the oldest first. */
export async function listSiteHosts(executor: Executor, site: number): Promise<SiteHostRow[]> {
  return (await selectOfSite(executor, [site])).rows
}

const selectChanged = defineStatement<SiteHostRow>(
  `select ${columns} from site_hosts where revision > $1 order by revision limit $2`,
)

/** Hosts that changed after a revision, the oldest change first. */
export async function listChangedHosts(executor: Executor, after: number, limit: number): Promise<SiteHostRow[]> {
  return (await selectChanged(executor, [after, limit])).rows
}

const selectApiHosts = defineStatement<Pick<SiteHostRow, 'site' | 'host' | 'state' | 'token' | 'revision'>>(
  `select site, host, state, token, revision from site_hosts
   where purpose = 'api' and state <> 'claimed' and revision > $1 order by revision limit $2`,
)

/** As `listChangedHosts`, for hosts of the Web API. */
export async function listApiHostChanges(executor: Executor, after: number, limit: number) {
  return (await selectApiHosts(executor, [after, limit])).rows
}

const selectToken = defineStatement<{ token: string }>('select token from site_hosts where site = $1 and host = $2')

/** What proves a host of a site. */
export async function findHostToken(
  executor: Executor,
  { site, host }: Pick<SiteHostRow, 'site' | 'host'>,
): Promise<string | undefined> {
  return (await selectToken(executor, [site, host])).rows[0]?.token
}

/** Whether a site is served on the installation's own host, as an administrator set it. */
export interface SharedHostRow {
  readonly site: number
  readonly enabled: boolean
  /** For the next change of the setting. */
  readonly settings_revision: number
  readonly revision: number
}

const selectChangedShared = defineStatement<SharedHostRow>(
  'select site, enabled, settings_revision, revision from shared_hosts where revision > $1 order by revision limit $2',
)

/** As `listChangedHosts`, for the installation's own host. */
export async function listChangedSharedHosts(
  executor: Executor,
  after: number,
  limit: number,
): Promise<SharedHostRow[]> {
  return (await selectChangedShared(executor, [after, limit])).rows
}

const selectShared = defineStatement<SharedHostRow>(
  'select site, enabled, settings_revision, revision from shared_hosts where site = $1',
)

/** Undefined if no administrator has changed it: the site is served there. */
export async function findSharedHost(executor: Executor, site: number): Promise<SharedHostRow | undefined> {
  return (await selectShared(executor, [site])).rows[0]
}

const selectRevision = defineStatement<{ revision: number }>('select revision from hosts_revision')

/** The revision of the newest change of any host. */
export async function readHostsRevision(executor: Executor): Promise<number> {
  return (await selectRevision(executor, [])).rows[0]?.revision ?? 0
}

/**
 * Runs a change of hosts in a transaction. Changes of all sites wait for each other, so that their revisions become visible in
 * order and two sites cannot prove related hosts at the same time.
 */
export async function changeHosts<T>(
  knex: Knex,
  change: (trx: Knex.Transaction, revision: number) => Promise<T>,
): Promise<T> {
  return transaction(knex, async (trx) => {
    const [row] = await trx('hosts_revision').increment('revision').returning('revision')
    return change(trx, row.revision)
  })
}

/** Inserts a claim, or repeats it; a host that the site released is claimed again. */
export async function claimHost(
  trx: Knex.Transaction,
  claim: Pick<SiteHostRow, 'site' | 'host' | 'account' | 'site_id' | 'purpose' | 'token' | 'revision'>,
): Promise<void> {
  const { purpose, revision } = claim
  await trx.raw(
    `insert into site_hosts (site, host, account, site_id, purpose, state, token, revision)
     values (:site, :host, :account, :site_id, :purpose, 'claimed', :token, :revision)
     on conflict (site, host) do update
       set state = 'claimed', purpose = :purpose, problems = '{}', created_at = now(), checked_at = null,
         failing_since = null, next_check_at = now(), revision = :revision
       where site_hosts.state = 'released'`,
    { ...claim, purpose, revision },
  )
}

/**
 * Whether another site has a host that is the same as a host, one of its parents, or one below it. Claims and hosts whose proof is
 * missing do not count: the domain may have another owner now.
 */
export async function hasRelatedHost(
  trx: Knex.Transaction,
  { site, host }: Pick<SiteHostRow, 'site' | 'host'>,
): Promise<boolean> {
  const labels = host.split('.')
  const parents = labels.map((_, index) => labels.slice(index).join('.'))
  const row: unknown = await trx('site_hosts')
    .whereNot({ site })
    .where({ state: 'active' })
    .where((either) =>
      either.whereIn('host', parents).orWhereRaw(`right(host, length(?) + 1) = '.' || ?`, [host, host]),
    )
    .first('host')
  return row !== undefined
}

/** Releases a host that other sites had, so that the site that proves it is its only owner. */
export async function releaseSuspended(
  trx: Knex.Transaction,
  { site, host }: Pick<SiteHostRow, 'site' | 'host'>,
  revision: number,
): Promise<void> {
  await trx('site_hosts')
    .where({ host, state: 'suspended' })
    .whereNot({ site })
    .update({ state: 'released', problems: [], failing_since: null, revision })
}

/** Locks a host of a site that is not released. */
export async function lockHost(
  trx: Knex.Transaction,
  { site, host }: Pick<SiteHostRow, 'site' | 'host'>,
): Promise<SiteHostRow | undefined> {
  return trx('site_hosts').where({ site, host }).whereNot({ state: 'released' }).forUpdate().first()
}

/** The result of a check. */
export interface HostCheck {
  readonly state: SiteHostRow['state']
  readonly problems: readonly HostProblem[]
  readonly failing_since: Date | null
}

/** Stores a check of a locked host, and plans the next one. */
export async function storeCheck(
  trx: Knex.Transaction,
  { site, host }: Pick<SiteHostRow, 'site' | 'host'>,
  { state, problems, failing_since }: HostCheck,
  revision: number,
): Promise<void> {
  await trx('site_hosts')
    .where({ site, host })
    .update({
      state,
      problems: trx.raw('?::text[]', [[...problems]]),
      failing_since,
      revision,
      checked_at: trx.fn.now(),
      // Their owners are adding the proof.
      next_check_at: trx.raw(
        `now() + case when state = 'claimed' and created_at > now() - interval '1 day' then interval '5 minutes'
           else make_interval(secs => ?) end`,
        [limits.host_check_seconds],
      ),
    })
}

/** Removes a locked host. One that was served stays as released, so that its requests are rejected. */
export async function releaseHost(
  trx: Knex.Transaction,
  { site, host, state }: Pick<SiteHostRow, 'site' | 'host' | 'state'>,
  revision: number,
): Promise<void> {
  const row = trx('site_hosts').where({ site, host })
  if (state === 'claimed') await row.delete()
  else await row.update({ state: 'released', problems: [], failing_since: null, revision })
}

/** Sets whether a site is served on the installation's own host. */
export async function storeSharedHost(
  trx: Knex.Transaction,
  { site, enabled, revision }: Pick<SharedHostRow, 'site' | 'enabled' | 'revision'>,
): Promise<void> {
  await trx('shared_hosts')
    .insert({ site, enabled, revision, settings_revision: 1 })
    .onConflict('site')
    .merge({ enabled, revision, settings_revision: trx.raw('shared_hosts.settings_revision + 1') })
}

/**
 * Takes hosts whose check is due, so that no other replica checks them for the next minutes. New claims are checked every few
 * minutes for a day, then like all others.
 */
export async function takeDueHosts(knex: Knex, most: number): Promise<Pick<SiteHostRow, 'site' | 'host'>[]> {
  const { rows } = await knex.raw(
    `update site_hosts set next_check_at = now() + interval '5 minutes'
     where (site, host) in (
       select site, host from site_hosts where state <> 'released' and next_check_at <= now()
       order by next_check_at limit ? for update skip locked)
     returning site, host`,
    [most],
  )
  return rows
}

/** Deletes claims that were not proven in time. */
export async function deleteExpiredClaims(knex: Knex): Promise<void> {
  await knex('site_hosts')
    .where({ state: 'claimed' })
    .whereRaw('created_at < now() - make_interval(secs => ?)', [limits.host_claim_seconds])
    .delete()
}

const upsertUse = defineStatement<never>(
  `insert into host_uses (site, client_id, host, last_used_on) values ($1, $2, $3, current_date)
   on conflict (site, client_id, host) do update set last_used_on = excluded.last_used_on`,
)

/** Records that a client used a host today; an empty host is the installation's own. */
export async function storeHostUse(
  executor: Executor,
  { site, client_id, host }: { readonly site: number; readonly client_id: string; readonly host: string },
): Promise<void> {
  await upsertUse(executor, [site, client_id, host])
}

const selectUses = defineStatement<{ host: string; client_id: string; client_name: string; last_used_on: string }>(
  `select host, client_id, name as client_name, to_char(last_used_on, 'YYYY-MM-DD') as last_used_on
   from host_uses join clients using (site, client_id) where site = $1 order by last_used_on desc, name, host`,
)

/** When the clients of a site last used which host, the latest first. */
export async function listHostUses(executor: Executor, site: number) {
  return (await selectUses(executor, [site])).rows
}

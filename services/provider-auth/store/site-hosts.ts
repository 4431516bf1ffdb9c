import type { Knex } from 'knex'
import { type HostProblem, type HostPurpose, limits } from '#contracts'
import { defineStatement, type Executor, isNotFrozen, transaction } from '#database'

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

/** Stores a check of a host that the site has not released, and plans the next one. */
export async function storeCheck(
  executor: Knex,
  { site, host }: Pick<SiteHostRow, 'site' | 'host'>,
  { problems, failing_since }: HostCheck,
): Promise<void> {
  await executor('site_hosts')
    .where({ site, host })
    .whereNot({ state: 'released' })
    .update({
      problems: executor.raw('?::text[]', [[...problems]]),
      failing_since,
      checked_at: executor.fn.now(),
      // The owners of new claims are adding the proof.
      next_check_at: executor.raw(
        `now() + case when state = 'claimed' and created_at > now() - interval '1 day' then interval '5 minutes'
           else make_interval(secs => ?) end`,
        [limits.host_check_seconds],
      ),
    })
}

/** Changes whether a locked host is served. */
export async function changeState(
  trx: Knex.Transaction,
  { site, host }: Pick<SiteHostRow, 'site' | 'host'>,
  state: SiteHostRow['state'],
  revision: number,
): Promise<void> {
  await trx('site_hosts').where({ site, host }).update({ state, revision })
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

/**
 * Takes hosts whose check is due, so that no other replica checks them for the next minutes. New claims are checked every few
 * minutes for a day, then like all others.
 */
export async function takeDueHosts(knex: Knex, most: number): Promise<Pick<SiteHostRow, 'site' | 'host'>[]> {
  const { rows } = await knex.raw(
    `update site_hosts set next_check_at = now() + interval '5 minutes'
     where (site, host) in (
       select site, host from site_hosts where state <> 'released' and next_check_at <= now()
         and ${isNotFrozen('site')}
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
    .whereRaw(isNotFrozen('site'))
    .delete()
}

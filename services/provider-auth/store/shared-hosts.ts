import type { Knex } from 'knex'
import { defineStatement, type Executor } from '#database'

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

/** Lets replicas read all hosts of a site again. */
export async function updateHostRevisions(trx: Knex.Transaction, site: number, revision: number): Promise<void> {
  // Without a row, the site is served on the installation's host; a replica has to learn this if it was not.
  await trx('shared_hosts')
    .insert({ site, enabled: true, settings_revision: 0, revision })
    .onConflict('site')
    .merge({ revision })
  await trx('site_hosts').where({ site }).update({ revision })
}

/** Ends the service of a site on all hosts. A copy from the cell that serves it restores the rows. */
export async function suspendHosts(trx: Knex.Transaction, site: number, revision: number): Promise<void> {
  await trx('shared_hosts')
    .insert({ site, enabled: false, settings_revision: 0, revision })
    .onConflict('site')
    .merge({ enabled: false, revision })
  await trx('site_hosts').where({ site, state: 'active' }).update({ state: 'suspended', revision })
}

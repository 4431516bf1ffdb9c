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

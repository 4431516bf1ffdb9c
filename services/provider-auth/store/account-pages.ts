import type { Knex } from 'knex'
import { defineStatement, type Executor } from '#database'

/** The account page of a site, as an administrator set it. */
export interface AccountPageRow {
  readonly enabled: boolean
  /** Null: end users cannot ask to be deleted. */
  readonly deletion_waiting_days: number | null
  readonly revision: number
}

const selectPage = defineStatement<AccountPageRow>(
  'select enabled, deletion_waiting_days, revision from account_pages where site = $1',
)

/** Undefined if no administrator has changed it: the site has no account page. */
export async function findAccountPage(executor: Executor, site: number): Promise<AccountPageRow | undefined> {
  return (await selectPage(executor, [site])).rows[0]
}

/** Stores the settings as their next revision. @returns false if another change was first */
export async function storeAccountPage(
  knex: Knex,
  {
    site,
    expected_revision,
    ...settings
  }: Omit<AccountPageRow, 'revision'> & {
    readonly site: number
    readonly expected_revision: number
  },
): Promise<boolean> {
  if (expected_revision === 0) {
    const row = { site, ...settings, revision: 1 }
    const inserted: unknown[] = await knex('account_pages').insert(row).onConflict('site').ignore().returning('site')
    return inserted.length === 1
  }
  const changed = await knex('account_pages')
    .where({ site, revision: expected_revision })
    .update({ ...settings, revision: expected_revision + 1 })
  return changed === 1
}

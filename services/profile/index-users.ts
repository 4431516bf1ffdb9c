import type { Knex } from 'knex'
import { z } from 'zod'
import { enqueueJob, type Task, transaction } from '#database'
import type { Deps } from './deps.ts'
import type { SearchKeys } from './search-keys.ts'
import { lockSettings } from './store/excluded-fields.ts'
import { lockSettingsAndLinks } from './store/lock-links.ts'
import { lockNextProfiles } from './store/profiles.ts'
import { deleteSearchKeysBefore, insertSearchKey, listSearchKeys, listSitesOfOtherKeys } from './store/search-keys.ts'
import { deleteTermsOfSite } from './store/search-terms.ts'
import {
  findUserSearch,
  finishIndexing,
  type SearchRow,
  storeUserSearch,
  updateIndexingProgress,
} from './store/user-search.ts'

/** Users of one transaction, for which logins of these users wait. Our choice. */
const batchSize = 100

const Payload = z.object({ site: z.int() })

/**
 * Begins to index the users of a site with a new key, in the transaction of a change. The site's settings must be locked, so that no
 * transaction writes terms by the previous ones.
 */
export async function startIndexing(
  trx: Knex.Transaction,
  keys: SearchKeys,
  site: number,
  { revision, fields }: Pick<SearchRow, 'revision' | 'fields'>,
): Promise<void> {
  const versions = (await listSearchKeys(trx, site)).map(({ version }) => version)
  const version = Math.max(0, ...versions) + 1
  await insertSearchKey(trx, keys.createKey(site, version))
  await storeUserSearch(trx, site, { revision, fields, key_version: version })
  await enqueueJob(trx, { task: 'indexUsers', payload: { site }, key: `indexUsers:${site}`, immediate: true })
}

/**
 * The job that indexes the stored profiles of a site, or deletes its terms if no field is switched on. Each batch is one transaction
 * with its progress, so after an interruption it continues where it stopped.
 */
export function indexUsersTask(deps: Deps): Task {
  return async (payload) => {
    const { site } = Payload.parse(payload)
    while (await processNextUsers(deps, site));
  }
}

/** Processes the next users. @returns whether there may be more */
async function processNextUsers(deps: Deps, site: number): Promise<boolean> {
  return transaction(deps.knex, async (trx) => {
    // The setting does not change in this transaction.
    await lockSettingsAndLinks(trx, site, [])
    const search = await findUserSearch(trx, site)
    if (search === undefined || search.indexing_started_at === null) return false
    const { indexed_up_to: from, fields, key_version } = search
    const profiles = fields.length === 0 ? [] : await lockNextProfiles(trx, deps, site, from, batchSize)
    const last = profiles.at(-1)
    if (last !== undefined) {
      // First, so that the deletion of the site waits for the terms.
      const progress = { from, to: last.identifier, users: profiles.filter(({ deleted }) => !deleted).length }
      if (await updateIndexingProgress(trx, site, progress)) await deps.searchIndex.update(trx, profiles)
      return true
    }
    if (fields.length === 0 && (await deleteTermsOfSite(trx, site))) return true
    // Every term has the current key now, or there are none.
    await finishIndexing(trx, site)
    await deleteSearchKeysBefore(trx, site, fields.length === 0 ? key_version + 1 : key_version)
    return false
  })
}

/** Indexes the users of sites with a new key if the ring has another current key, so that earlier keys of the ring can be removed. */
export async function rotateSearchKeys({ knex, searchKeys }: Pick<Deps, 'knex' | 'searchKeys'>): Promise<void> {
  for (const site of await listSitesOfOtherKeys(knex, searchKeys.head()))
    await transaction(knex, async (trx) => {
      await lockSettings(trx, site)
      const search = await findUserSearch(trx, site)
      const stillOther = (await listSitesOfOtherKeys(trx, searchKeys.head())).includes(site)
      if (search !== undefined && stillOther) await startIndexing(trx, searchKeys, site, search)
    })
}

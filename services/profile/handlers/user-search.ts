import { isDeepStrictEqual } from 'node:util'
import { Fault, userSearchFields } from '#contracts'
import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { describeUserSearch } from '../describe-user-search.ts'
import { startIndexing } from '../index-users.ts'
import { lockSettings } from '../store/excluded-fields.ts'
import { isSiteDeleted } from '../store/site-deletions.ts'
import { findUserSearch } from '../store/user-search.ts'

export const readUserSearch: ProfileHandlers['readUserSearch'] = async ({ site }, { knex }) =>
  describeUserSearch(await findUserSearch(knex, site))

export const changeUserSearch: ProfileHandlers['changeUserSearch'] = async (
  { site, expected_revision, ...input },
  { knex, searchKeys },
) =>
  transaction(knex, async (trx) => {
    const fields = userSearchFields.filter((field) => input.fields.includes(field))
    await lockSettings(trx, site)
    if (await isSiteDeleted(trx, site)) throw new Fault('entity_not_found')
    const before = describeUserSearch(await findUserSearch(trx, site))
    if (before.revision !== expected_revision) throw new Fault('changed_meanwhile')
    if (isDeepStrictEqual(before.fields, fields)) return before
    await startIndexing(trx, searchKeys, site, { revision: before.revision + 1, fields })
    return describeUserSearch(await findUserSearch(trx, site))
  })

import { isDeepStrictEqual } from 'node:util'
import { Fault } from '#contracts'
import { transaction } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { describeMetadataSearch, startIndexingMetadata } from '../index-metadata.ts'
import { findMetadataSearch, lockMetadataPaths } from '../store/metadata-searches.ts'
import { lockSite } from '../store/sites.ts'

export const readMetadataSearch: IdentityHandlers['readMetadataSearch'] = async ({ site }, { knex }) =>
  describeMetadataSearch(await findMetadataSearch(knex, site))

export const changeMetadataSearch: IdentityHandlers['changeMetadataSearch'] = async (
  { site, expected_revision, ...input },
  { knex },
) =>
  transaction(knex, async (trx) => {
    const paths = input.paths.toSorted()
    if ((await lockSite(trx, site)) === undefined) throw new Fault('entity_not_found')
    await lockMetadataPaths(trx, site)
    const before = describeMetadataSearch(await findMetadataSearch(trx, site))
    if (before.revision !== expected_revision) throw new Fault('changed_meanwhile')
    if (isDeepStrictEqual(before.paths, paths)) return before
    await startIndexingMetadata(trx, site, { revision: before.revision + 1, paths })
    return describeMetadataSearch(await findMetadataSearch(trx, site))
  })

import type { Knex } from 'knex'
import { defineStatement } from '#database'
import type { ProfileKey } from './stored-profile.ts'

interface ErasableData {
  readonly profile: number
  readonly provider_data: number
}

const countRows = defineStatement<ErasableData>(
  `select
     (select count(*)::integer from profiles
      where site = $1 and identifier = $2 and not deleted and (combined is not null or prohibited)) as profile,
     (select count(*)::integer from provider_profiles where site = $1 and link_id = any($3)) as provider_data`,
)

/** Numbers of records of a user that the deletion of the user deletes. */
export async function countErasableData(
  trx: Knex.Transaction,
  { site, identifier }: ProfileKey,
  linkIds: readonly string[],
): Promise<ErasableData> {
  const [counts] = (await countRows(trx, [site, identifier, linkIds])).rows
  if (counts === undefined) throw new Error('The statement returned no row.')
  return counts
}

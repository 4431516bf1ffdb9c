import type { Knex } from 'knex'
import { requireTwoUsers } from '../domain/same-user.ts'
import { findEachUser, type GivenIds, toLookups } from './user-lookup.ts'

/** Two users of a site, named by their callers. */
interface NamedPair {
  readonly source: GivenIds
  readonly destination: GivenIds
}

/**
 * Finds two users and locks them until the transaction ends, in a fixed order, to avoid deadlocks. They have the given IDs
 * when the locks are granted.
 *
 * @returns their identifiers
 * @throws Fault: see `requireTwoUsers`
 */
export async function lockPair(
  trx: Knex.Transaction,
  site: number,
  { source, destination }: NamedPair,
): Promise<{ source: string; destination: string }> {
  const lookups = { source: toLookups(site, source), destination: toLookups(site, destination) }
  for (;;) {
    const users = await findEachUser(trx, site, [...lookups.source, ...lookups.destination])
    const pair = requireTwoUsers({
      source: users.slice(0, lookups.source.length),
      destination: users.slice(lookups.source.length),
    })
    const rows: { identifier: string; primary_key: string | null }[] = await trx('users')
      .where({ site })
      .whereIn('identifier', [pair.source, pair.destination])
      .orderBy('identifier')
      .forUpdate()
      .select('identifier', 'primary_key')
    const hasIds = (identifier: string, ids: GivenIds) =>
      rows.some((row) => row.identifier === identifier && (ids.primary_key ?? row.primary_key) === row.primary_key)
    // Otherwise another transaction moved an ID or deleted a user before we had the locks.
    if (hasIds(pair.source, source) && hasIds(pair.destination, destination)) return pair
  }
}

import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import { lockUserShared, type Merged, type User } from './forgotten-users.ts'

/** Something that a login brought to a user. */
export interface Brought extends User {
  readonly provider: Provider
  /** When the login or link was recorded, or the merge that brought it here, by identity's clock. */
  readonly recorded_at: Date
}

/**
 * As whom something is kept that a login brought, who may have been merged since, and keeps it so until the transaction ends.
 * Undefined when it is not to be kept: the user was forgotten, or the provider unlinked since.
 */
export async function lockHeir(
  trx: Knex.Transaction,
  { site, identifier, provider, recorded_at }: Brought,
): Promise<Brought | undefined> {
  let heir: Brought = { site, identifier, provider, recorded_at }
  // Locks go in the direction of the merges, which never form a circle, so nobody deadlocks.
  for (;;) {
    await lockUserShared(trx, heir)
    const { forgotten, unlinked, ...merged } = await readFate(trx, heir)
    if (unlinked) return undefined
    if (!forgotten) return heir
    if (merged.merged_into === null || !merged.merged_providers.includes(provider)) return undefined
    const { merged_into, merged_at } = merged
    heir = {
      ...heir,
      identifier: merged_into,
      recorded_at: merged_at > heir.recorded_at ? merged_at : heir.recorded_at,
    }
  }
}

type Fate = { readonly forgotten: boolean; readonly unlinked: boolean } & (Merged | { readonly merged_into: null })

async function readFate(trx: Knex.Transaction, brought: Brought): Promise<Fate> {
  const { rows } = await trx.raw<{ rows: [Fate] }>(
    `select tombstone.site is not null as forgotten, merged_into, merged_at, merged_providers,
       exists (
         select from unlinked_providers as u
         where u.site = :site and u.identifier = :identifier and provider = :provider and unlinked_at >= :recorded_at
       ) as unlinked
     from (values (1)) as one
     left join forgotten_users as tombstone on tombstone.site = :site and tombstone.identifier = :identifier`,
    { ...brought },
  )
  return rows[0]
}

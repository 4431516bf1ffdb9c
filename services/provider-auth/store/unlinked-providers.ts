import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import type { User } from './forgotten-users.ts'

/** What was unlinked, and when by identity's clock. */
export interface Unlinking {
  readonly providers: readonly Provider[]
  readonly unlinked_at: Date
}

/** Remembers when providers were unlinked last, or the person took back there what came of earlier logins. */
export async function upsertUnlinkedProviders(
  trx: Knex.Transaction,
  { site, identifier }: User,
  { providers, unlinked_at }: Unlinking,
): Promise<void> {
  await trx.raw(
    `insert into unlinked_providers as stored (site, identifier, provider, unlinked_at)
     select :site, :identifier, provider, :unlinked_at from unnest(:providers::text[]) as unlinked (provider)
     on conflict (site, identifier, provider)
     do update set unlinked_at = greatest(stored.unlinked_at, excluded.unlinked_at)`,
    { site, identifier, providers: [...new Set(providers)], unlinked_at },
  )
}

export async function removeUnlinkedProviders(trx: Knex.Transaction, { site, identifier }: User): Promise<void> {
  await trx('unlinked_providers').where({ site, identifier }).delete()
}

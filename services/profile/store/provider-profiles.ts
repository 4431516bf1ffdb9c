import type { Knex } from 'knex'
import type { ProviderSupply } from '../domain/combine.ts'
import type { User } from './profiles.ts'

/**
 * Keeps what a provider supplied in place of what it supplied before.
 *
 * @returns false when nothing changed: the stored is newer, or this is a repeat of it
 */
export async function upsertProviderProfile(
  trx: Knex.Transaction,
  { site, identifier }: User,
  { provider, data, obtained_at }: ProviderSupply,
): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into provider_profiles as stored (site, identifier, provider, data, obtained_at)
     values (:site, :identifier, :provider, :data, :obtained_at)
     on conflict (site, identifier, provider)
     do update set data = excluded.data, obtained_at = excluded.obtained_at
     where stored.obtained_at < excluded.obtained_at
        or stored.obtained_at = excluded.obtained_at and stored.data <> excluded.data`,
    { site, identifier, provider, data: JSON.stringify(data, storable), obtained_at },
  )
  return rowCount > 0
}

/** Without what jsonb cannot hold: NUL and halves of surrogate pairs. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}

export async function listProviderProfiles(knex: Knex, { site, identifier }: User): Promise<ProviderSupply[]> {
  return knex('provider_profiles').where({ site, identifier }).select('provider', 'data', 'obtained_at')
}

export async function removeProviderProfiles(trx: Knex.Transaction, { site, identifier }: User): Promise<void> {
  await trx('provider_profiles').where({ site, identifier }).delete()
}

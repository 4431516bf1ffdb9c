import type { Knex } from 'knex'
import { defineStatement } from '#database'
import type { Encryptor } from '#runtime'
import type { AppTokens, ProviderCredential } from '../domain/credential.ts'
import { encryptAppTokens, encryptTokens } from './encrypted-credentials.ts'

/** The tokens of an imported link. */
export interface ImportedCredential extends Omit<ProviderCredential, 'site' | 'recorded_at'>, AppTokens {
  /** Null: now. */
  readonly created_at: Date | null
  readonly updated_at: Date | null
}

const upsertEach = defineStatement(
  `insert into credentials (site, recorded_at, link_id, provider, provider_user_id, access_token, access_secret,
     refresh_token, expires_at, created_at, updated_at, client_access_token, client_access_secret, client_refresh_token,
     client_expires_at)
   select $1, $2::timestamptz, link_id, provider, provider_user_id, access_token, access_secret, refresh_token, expires_at,
     coalesce(created_at, now()), coalesce(updated_at, now()), client_access_token, client_access_secret, client_refresh_token,
     client_expires_at
   from unnest($3::uuid[], $4::text[], $5::text[], $6::bytea[], $7::bytea[], $8::bytea[], $9::timestamptz[],
     $10::timestamptz[], $11::timestamptz[], $12::bytea[], $13::bytea[], $14::bytea[], $15::timestamptz[]) as imported (link_id, provider,
     provider_user_id, access_token, access_secret, refresh_token, expires_at, created_at, updated_at, client_access_token,
     client_access_secret, client_refresh_token, client_expires_at)
   on conflict (site, link_id) do update set access_token = excluded.access_token, access_secret = excluded.access_secret,
     refresh_token = excluded.refresh_token, expires_at = excluded.expires_at, token_set = excluded.token_set,
     refresh_locked_until = null, failed_refreshes = 0, refresh_not_before = null, needs_reauth_at = null,
     updated_at = excluded.updated_at, recorded_at = excluded.recorded_at,
     client_access_token = excluded.client_access_token, client_access_secret = excluded.client_access_secret,
     client_refresh_token = excluded.client_refresh_token,
     client_expires_at = excluded.client_expires_at
   where credentials.recorded_at < excluded.recorded_at`,
)

/** Stores the tokens of locked links of a site, unless those of this import, which may be refreshed since, or of a later login are stored. */
export async function upsertImportedCredentials(
  trx: Knex.Transaction,
  encryptor: Encryptor,
  { site, recorded_at }: Pick<ProviderCredential, 'site' | 'recorded_at'>,
  credentials: readonly ImportedCredential[],
): Promise<void> {
  if (credentials.length === 0) return
  const encrypted = credentials.map((credential) => encryptTokens(encryptor, credential, credential))
  const ofApps = credentials.map((credential) => encryptAppTokens(encryptor, credential, credential))
  await upsertEach(trx, [
    site,
    recorded_at,
    credentials.map(({ link_id }) => link_id),
    credentials.map(({ provider }) => provider),
    credentials.map(({ provider_user_id }) => provider_user_id),
    encrypted.map(({ access_token }) => access_token),
    encrypted.map(({ access_secret }) => access_secret),
    encrypted.map(({ refresh_token }) => refresh_token),
    credentials.map(({ expires_at }) => expires_at),
    credentials.map(({ created_at }) => created_at),
    credentials.map(({ updated_at }) => updated_at),
    ofApps.map(({ client_access_token }) => client_access_token),
    ofApps.map(({ client_access_secret }) => client_access_secret),
    ofApps.map(({ client_refresh_token }) => client_refresh_token),
    credentials.map(({ client_expires_at }) => client_expires_at),
  ])
}

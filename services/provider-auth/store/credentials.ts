import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import { defineStatement, type Executor } from '#database'
import type { Encryptor } from '#runtime'
import type { AppTokens, ProviderCredential } from '../domain/credential.ts'
import type { LinkLogins, LinkRecord } from '../domain/link-record.ts'
import {
  type EncryptedCredential,
  encryptAppTokens,
  encryptTokens,
  isRefreshTokenDamaged,
} from './encrypted-credentials.ts'

const selectForUpdate = selectCredentialsWhere('site = $1 and link_id = $2 for update')
const upsert = defineStatement(
  `insert into credentials (link_id, site, provider, provider_user_id, recorded_at, access_token, access_secret,
     refresh_token, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (site, link_id) do update set access_token = excluded.access_token, access_secret = excluded.access_secret,
     refresh_token = coalesce(excluded.refresh_token, case when $10 then null else credentials.refresh_token end),
     expires_at = excluded.expires_at, token_set = excluded.token_set, refresh_locked_until = null, failed_refreshes = 0,
     refresh_not_before = null, needs_reauth_at = null, updated_at = excluded.updated_at, recorded_at = excluded.recorded_at
   where credentials.recorded_at <= excluded.recorded_at`,
)

/**
 * Stores the newest tokens of a locked link. If there is no new refresh token, the earlier one stays, because some
 * providers issue it at the first consent only; a damaged one is deleted.
 *
 * @returns false if the tokens of a later login are stored
 */
export async function upsertCredential(
  trx: Knex.Transaction,
  encryptor: Encryptor,
  credential: ProviderCredential,
): Promise<boolean> {
  const { link_id, site, provider, provider_user_id, expires_at, recorded_at } = credential
  const { access_token, access_secret, refresh_token } = encryptTokens(encryptor, credential, credential)
  const [stored] = refresh_token === null ? (await selectForUpdate(trx, [site, link_id])).rows : []
  const isDamaged = stored !== undefined && (await isRefreshTokenDamaged(encryptor, stored))
  const { rowCount } = await upsert(trx, [
    link_id,
    site,
    provider,
    provider_user_id,
    recorded_at,
    access_token,
    access_secret,
    refresh_token,
    expires_at,
    isDamaged,
  ])
  return rowCount === 1
}

/** The tokens of a native app for a link. */
type AppCredential = AppTokens & LinkRecord & Pick<ProviderCredential, 'site' | 'provider' | 'provider_user_id'>

const upsertOfApp = defineStatement(
  `insert into credentials (link_id, site, provider, provider_user_id, recorded_at, client_access_token,
     client_access_secret, client_refresh_token, client_expires_at, client_recorded_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $5)
   on conflict (site, link_id) do update set client_access_token = excluded.client_access_token,
     client_access_secret = excluded.client_access_secret, client_refresh_token = excluded.client_refresh_token,
     client_expires_at = excluded.client_expires_at,
     client_recorded_at = excluded.client_recorded_at, updated_at = excluded.updated_at
   where credentials.client_recorded_at is null or credentials.client_recorded_at <= excluded.client_recorded_at`,
)

/** Stores an app's newest tokens of a locked link; those of web logins stay. */
export async function upsertAppTokens(
  trx: Knex.Transaction,
  encryptor: Encryptor,
  credential: AppCredential,
): Promise<void> {
  const { link_id, site, provider, provider_user_id, recorded_at, client_expires_at } = credential
  const { client_access_token, client_access_secret, client_refresh_token } = encryptAppTokens(
    encryptor,
    credential,
    credential,
  )
  await upsertOfApp(trx, [
    link_id,
    site,
    provider,
    provider_user_id,
    recorded_at,
    client_access_token,
    client_access_secret,
    client_refresh_token,
    client_expires_at,
  ])
}

const selectCredentials = selectCredentialsWhere('site = $1 and link_id = any($2)')

/** The encrypted credentials of links of a site, unordered. */
export async function findCredentials(
  executor: Executor,
  { site, link_ids }: Pick<LinkLogins, 'site' | 'link_ids'>,
): Promise<EncryptedCredential[]> {
  return (await selectCredentials(executor, [site, link_ids])).rows
}

/** @returns the deleted credentials */
export async function deleteLinkCredentials(
  trx: Knex.Transaction,
  { site, link_ids, recorded_until }: LinkLogins,
): Promise<readonly EncryptedCredential[]> {
  return trx('credentials')
    .where({ site })
    .whereIn('link_id', [...link_ids])
    .where('recorded_at', '<=', recorded_until)
    .delete()
    .returning('*')
}

/**
 * Whether any user has a credential of this account at the provider with the same client: the provider has one consent
 * per client, however many sites share the client.
 */
export async function isAccountInUse(
  knex: Knex,
  account: { readonly provider: Provider; readonly provider_user_id: string; readonly client_id: string },
): Promise<boolean> {
  const { provider, provider_user_id, client_id } = account
  const row: unknown = await knex('credentials as c')
    .join('provider_settings as s', (join) => join.on('s.site', 'c.site').on('s.provider', 'c.provider'))
    .where({ 'c.provider': provider, 'c.provider_user_id': provider_user_id, 's.client_id': client_id })
    .first('c.site')
  return row !== undefined
}

function selectCredentialsWhere(condition: string) {
  return defineStatement<EncryptedCredential>(
    `select link_id, site, provider, provider_user_id, access_token, access_secret, refresh_token, expires_at, token_set,
       refresh_locked_until, failed_refreshes, refresh_not_before, needs_reauth_at, recorded_at, created_at, updated_at,
       client_access_token, client_access_secret, client_refresh_token, client_expires_at
     from credentials where ${condition}`,
  )
}

/** Whether a site has tokens of a provider. */
export async function hasCredentials(
  knex: Knex,
  name: { readonly site: number; readonly provider: Provider },
): Promise<boolean> {
  return (await knex('credentials').where(name).first('site')) !== undefined
}

import type { Knex } from 'knex'
import type { MetadataPartName, Provider } from '#contracts'
import { defineStatement, type Reader } from '#database'
import { type Encryptor, hashSecret, newToken } from '#runtime'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { claimsContextOf } from './authorization-codes.ts'

/** Digits and lower-case letters. */
const radix = 36
const largestSite = 2 ** 31 - 1

/**
 * A new access token. It begins with the site, so that the endpoints that receive nothing else find the token in a database that
 * is distributed by site.
 */
export function newAccessToken(site: number): string {
  return newToken(`${tokenPrefixes.access_token}${site.toString(radix)}.`)
}

/** The site of an access token; undefined if the text cannot be one. */
export function parseAccessTokenSite(accessToken: string): number | undefined {
  const { access_token: prefix } = tokenPrefixes
  if (!accessToken.startsWith(prefix)) return undefined
  const [, digits] = /^([0-9a-z]{1,6})\.[\w-]{43}$/.exec(accessToken.slice(prefix.length)) ?? []
  if (digits === undefined) return undefined
  const site = Number.parseInt(digits, radix)
  return site <= largestSite ? site : undefined
}

/** The login that an access token was issued for. */
export interface AccessTokenGrant {
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
  readonly provider_user_id: string
  readonly claims: Readonly<Record<string, unknown>>
  /** When identity recorded the login. */
  readonly recorded_at: Date
  /** The parts of the user's metadata that are claims for the client. */
  readonly metadata_claims: readonly MetadataPartName[]
  /** Whether the user's answers are a claim for the client. */
  readonly consents_claim: boolean
  readonly client_id: string
  readonly scope: readonly string[]
  /** Whether the client can still use the scope that changes `user_metadata`. */
  readonly user_metadata_write: boolean
}

/**
 * Deletes an access token of a client.
 *
 * @returns `foreign` if it was issued to another client; then it is not deleted
 */
export async function deleteAccessToken(
  knex: Knex,
  { access_token, client_id }: { readonly access_token: string; readonly client_id: string },
): Promise<'removed' | 'unknown' | 'foreign'> {
  const site = parseAccessTokenSite(access_token)
  if (site === undefined) return 'unknown'
  const key = { site, token_hash: hashSecret(access_token) }
  const row: { client_id: string } | undefined = await knex('access_tokens as token')
    .join('authorization_codes as code', (join) =>
      join.on('code.site', 'token.site').on('code.code_hash', 'token.code_hash'),
    )
    .where({ 'token.site': key.site, 'token.token_hash': key.token_hash })
    .where('token.expires_at', '>', knex.fn.now())
    .first('client_id')
  if (row === undefined) return 'unknown'
  if (row.client_id !== client_id) return 'foreign'
  await knex('access_tokens').where(key).delete()
  return 'removed'
}

const selectGrant = defineStatement<Omit<AccessTokenGrant, 'claims'> & { code_hash: string; claims: Buffer }>(
  // Distributed tables are read first, and then those that only the coordinator has.
  `with granted as materialized (
     select site, identifier, provider, provider_user_id, claims, recorded_at, scope, code.code_hash, code.client_id
     from access_tokens as token join authorization_codes as code using (site, code_hash)
     where site = $1 and token_hash = $2 and token.expires_at > now() and revoked_at is null
   )
   select site, identifier, provider, provider_user_id, claims, recorded_at, code_hash, client_id, scope,
     (select metadata_claims from clients c where c.site = $1 and c.client_id = granted.client_id) as metadata_claims,
     (select consents_claim from clients c where c.site = $1 and c.client_id = granted.client_id) as consents_claim,
     (select user_metadata_write from clients c where c.site = $1 and c.client_id = granted.client_id)
       as user_metadata_write
   from granted where not exists (select 1 from site_deletions d where d.site = $1 and d.table_name = '')`,
)

/** The grant of a token that has neither expired nor been revoked. */
export async function findAccessTokenGrant(
  { reader, encryptor }: { readonly reader: Reader; readonly encryptor: Encryptor },
  accessToken: string,
): Promise<AccessTokenGrant | undefined> {
  const site = parseAccessTokenSite(accessToken)
  if (site === undefined) return undefined
  const [row] = (await selectGrant(reader, [site, hashSecret(accessToken)])).rows
  if (row === undefined) return undefined
  const { code_hash, claims, ...grant } = row
  // Written by insertAuthorizationCode and authenticated by the encryption.
  return {
    ...grant,
    claims: JSON.parse(await encryptor.decrypt(claims, claimsContextOf(code_hash))) as AccessTokenGrant['claims'],
  }
}

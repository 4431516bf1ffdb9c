import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import { type Encryptor, hashSecret } from '#runtime'
import { claimsContextOf } from './authorization-codes.ts'

/** The login that an access token was issued for. */
export interface AccessTokenGrant {
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
  readonly provider_user_id: string
  readonly claims: Readonly<Record<string, unknown>>
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
  const tokenHash = hashSecret(access_token)
  const row: { client_id: string } | undefined = await knex('access_tokens')
    .join('authorization_codes as code', 'code.code_hash', 'access_tokens.code_hash')
    .where({ token_hash: tokenHash })
    .where('access_tokens.expires_at', '>', knex.fn.now())
    .first('client_id')
  if (row === undefined) return 'unknown'
  if (row.client_id !== client_id) return 'foreign'
  await knex('access_tokens').where({ token_hash: tokenHash }).delete()
  return 'removed'
}

/** The grant of a token that has neither expired nor been revoked. */
export async function findAccessTokenGrant(
  { knex, encryptor }: { readonly knex: Knex; readonly encryptor: Encryptor },
  accessToken: string,
): Promise<AccessTokenGrant | undefined> {
  const row: (Omit<AccessTokenGrant, 'claims'> & { code_hash: string; claims: Buffer }) | undefined = await knex(
    'access_tokens',
  )
    .join('authorization_codes as code', 'code.code_hash', 'access_tokens.code_hash')
    .where({ token_hash: hashSecret(accessToken), 'code.revoked_at': null })
    .where('access_tokens.expires_at', '>', knex.fn.now())
    .first('site', 'identifier', 'provider', 'provider_user_id', 'claims', 'code.code_hash')
  if (row === undefined) return undefined
  const { code_hash, claims, ...grant } = row
  // Written by insertAuthorizationCode and authenticated by the encryption.
  return {
    ...grant,
    claims: JSON.parse(await encryptor.decrypt(claims, claimsContextOf(code_hash))) as AccessTokenGrant['claims'],
  }
}

import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { roles as all_roles, type Role } from '#admin-api'
import { hashSecret, newToken } from '#runtime'
import { addSeconds } from '../domain/time.ts'

export const tokenPrefix = 'slt_'

/** The time of the last use is stored at most once a minute. */
const lastUsedResolutionSeconds = 60

export interface StoredToken {
  readonly token_id: string
  readonly name: string
  /** Null account and role: an operator token. */
  readonly account: string | null
  readonly role: Role | null
  /** The site_ids that the token is limited to; null: all sites and the account itself. */
  readonly sites: readonly string[] | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
  /** The member who issued it, directly or with a token; null: issued on the service's command line. */
  readonly issued_by: string | null
}

/** Stores a token by its hash. Only the return value has the token. */
export async function insertToken(
  knex: Knex,
  token: Pick<StoredToken, 'name' | 'account' | 'role'> & {
    readonly sites?: StoredToken['sites']
    readonly issued_by?: string | null
    readonly expires_at: Date
    readonly now: Date
  },
): Promise<{ token_id: string; token: string }> {
  const { now, sites = null, ...fields } = token
  const secret = newToken(tokenPrefix)
  const tokenId = randomUUID()
  const hash = hashSecret(secret)
  await knex('tokens').insert({
    ...fields,
    sites,
    token_id: tokenId,
    token_hash: sites === null ? hash : hashOfSites(hash),
    created_at: now,
  })
  return { token_id: tokenId, token: secret }
}

/** Earlier releases do not find tokens that are limited to sites: to them, each token is for the whole account. */
const hashOfSites = (hash: string) => `sites:${hash}`

/** Finds an active token and records its use. */
export async function useToken(knex: Knex, token: string, now: Date): Promise<StoredToken | undefined> {
  const hash = hashSecret(token)
  const row = await knex('tokens')
    .whereIn('token_hash', [hash, hashOfSites(hash)])
    .where('expires_at', '>', now)
    .first<StoredToken | undefined>()
  if (row === undefined) return undefined
  const { token_id, last_used_at } = row
  if (last_used_at === null || last_used_at < addSeconds(now, -lastUsedResolutionSeconds)) {
    await knex('tokens').where({ token_id }).update({ last_used_at: now })
  }
  return row
}

export async function listTokensOf(knex: Knex, account: string): Promise<(StoredToken & { readonly role: Role })[]> {
  return knex('tokens').where({ account }).orderBy('created_at').select<(StoredToken & { readonly role: Role })[]>()
}

export async function listOperatorTokens(knex: Knex): Promise<StoredToken[]> {
  return knex('tokens').where({ account: null }).orderBy('created_at').select<StoredToken[]>()
}

/** Returns the revoked token; undefined if the account does not have it. */
export async function deleteToken(
  knex: Knex,
  { account, token_id }: { account: string | null; token_id: string },
): Promise<StoredToken | undefined> {
  const [deleted] = await knex('tokens').where({ account, token_id }).delete().returning<StoredToken[]>('*')
  return deleted
}

export async function findToken(knex: Knex, tokenId: string): Promise<StoredToken | undefined> {
  return knex('tokens').where({ token_id: tokenId }).first<StoredToken | undefined>()
}

/** Locks a token until the transaction ends; undefined if it was revoked. */
export async function lockToken(trx: Knex.Transaction, tokenId: string): Promise<StoredToken | undefined> {
  return trx('tokens').where({ token_id: tokenId }).forShare().first<StoredToken | undefined>()
}

/**
 * Revokes the tokens that a member issued for an account. With `null`, those that only an operator could issue: operator tokens,
 * and tokens with more rights in an account than the member has there.
 *
 * @param roles limits it to tokens with one of these roles
 */
export async function deleteTokensIssuedBy(
  trx: Knex.Transaction,
  { member_id, account, roles }: { member_id: string; account: string | null; roles?: readonly Role[] },
): Promise<{ token_id: string; name: string }[]> {
  return trx('tokens')
    .where({ issued_by: member_id })
    .modify((query) => {
      if (account !== null) query.where({ account })
      else
        query.where((which) =>
          which.whereNull('account').orWhereNotExists(
            trx('member_roles')
              .where({ member_id })
              .whereRaw('member_roles.account = tokens.account')
              .whereRaw('array_position(?::text[], member_roles.role) >= array_position(?::text[], tokens.role)', [
                [...all_roles],
                [...all_roles],
              ]),
          ),
        )
      if (roles !== undefined) query.whereIn('role', [...roles])
    })
    .delete()
    .returning<{ token_id: string; name: string }[]>(['token_id', 'name'])
}

import type { Knex } from 'knex'
import { limits, type Provider } from '#contracts'
import { hashSecret } from '#runtime'

interface User {
  readonly site: number
  readonly identifier: string
}

/** The permission to link another account to a user. */
export interface Association extends User {
  readonly provider: Provider
  readonly token_hash: string
  /** Hash of the cookie of the browser whose user confirmed the link; null before. */
  readonly browser: string | null
}

type AssociationKey = Pick<Association, 'site' | 'token_hash'>

/**
 * Stores a token by its hash; it replaces the user's earlier token. Its time of issue has milliseconds, as the time of a
 * deletion has: a deletion in the same millisecond finds it.
 */
export async function upsertAssociationToken(
  knex: Knex,
  { site, identifier, provider, token }: User & { readonly provider: Provider; readonly token: string },
): Promise<Date> {
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + limits.association_token_seconds * 1_000)
  const issue = { provider, token_hash: hashSecret(token), expires_at: expiresAt, issued_at: issuedAt, browser: null }
  await knex('association_tokens')
    .insert({ site, identifier, ...issue })
    .onConflict(['site', 'identifier'])
    .merge(issue)
  return expiresAt
}

/** A valid token of the site for this provider. */
export async function findAssociation(
  knex: Knex,
  { site, provider, token }: { readonly site: number; readonly provider: Provider; readonly token: string },
): Promise<Association | undefined> {
  return knex('association_tokens')
    .where({ token_hash: hashSecret(token), site, provider })
    .where('expires_at', '>', knex.fn.now())
    .first('site', 'identifier', 'provider', 'token_hash', 'browser')
}

/** Binds a token to a browser, unless it is bound to another one. Returns true for one browser only. */
export async function bindAssociation(
  knex: Knex,
  { site, token_hash }: AssociationKey,
  browser: string,
): Promise<boolean> {
  const bound = await knex('association_tokens')
    .where({ site, token_hash })
    .whereRaw('coalesce(browser, :browser) = :browser', { browser })
    .update({ browser })
  return bound === 1
}

/** Deletes a token that has not expired. Returns true for one caller only. */
export async function deleteAssociation(knex: Knex, { site, token_hash }: AssociationKey): Promise<boolean> {
  const removed = await knex('association_tokens')
    .where({ site, token_hash })
    .where('expires_at', '>', knex.fn.now())
    .delete()
  return removed === 1
}

/** Deletes the user's tokens that were issued until a time. */
export async function deleteUserAssociations(
  trx: Knex.Transaction,
  { site, identifier }: User,
  issuedUntil: Date,
): Promise<void> {
  await trx('association_tokens').where({ site, identifier }).where('issued_at', '<=', issuedUntil).delete()
}

export async function deleteProviderAssociations(
  knex: Knex,
  { site, provider }: { readonly site: number; readonly provider: Provider },
): Promise<void> {
  await knex('association_tokens').where({ site, provider }).delete()
}

export async function deleteExpiredAssociations(knex: Knex): Promise<void> {
  await knex('association_tokens').where('expires_at', '<', knex.fn.now()).delete()
}

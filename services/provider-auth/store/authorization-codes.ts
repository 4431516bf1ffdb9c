import type { Knex } from 'knex'
import { limits, type Provider, type ReceivedData } from '#contracts'
import { defineStatement, type Executor } from '#database'
import { type EncryptionContext, type Encryptor, hashSecret } from '#runtime'
import type { LinkLogins, LinkRecord } from '../domain/link-record.ts'
import { toStoredChallenge } from '../domain/pkce.ts'
import { type ClientAccess, insertOfRecipient } from './data-recipients.ts'

/** A login, until its client exchanges the code for tokens. */
export interface AuthorizationCode extends LinkRecord {
  readonly client_id: string
  readonly redirect_uri: string
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
  readonly provider_user_id: string
  readonly scope: readonly string[]
  readonly nonce: string | null
  readonly code_challenge: string | null
  readonly code_challenge_method: 'plain' | 'S256' | null
  readonly auth_time: Date
  /** The claims of the granted scopes as of this login; stored encrypted. */
  readonly claims: Readonly<Record<string, unknown>>
  /** The login in the log of logins; null: the code was issued for a session or in a request of a native app. */
  readonly login_id: string | null
}

const insertCode = defineStatement(
  `insert into authorization_codes (code_hash, client_id, redirect_uri, site, identifier, link_id, recorded_at, provider,
     provider_user_id, scope, nonce, code_challenge, code_challenge_method, auth_time, claims, login_id, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, now() + make_interval(secs => $17))`,
)

/** Stores a code by its hash. */
export async function insertAuthorizationCode(
  trx: Knex.Transaction,
  encryptor: Encryptor,
  { code, ...login }: AuthorizationCode & { readonly code: string },
): Promise<void> {
  const { client_id, redirect_uri, site, identifier, link_id, recorded_at, provider, provider_user_id } = login
  const { scope, nonce, auth_time, login_id } = login
  const { code_challenge, code_challenge_method } = toStoredChallenge(login)
  const codeHash = hashSecret(code)
  const claims = encryptor.encrypt(JSON.stringify(login.claims), claimsContextOf(codeHash))
  await insertCode(trx, [
    codeHash,
    client_id,
    redirect_uri,
    site,
    identifier,
    link_id,
    recorded_at,
    provider,
    provider_user_id,
    scope,
    nonce,
    code_challenge,
    code_challenge_method,
    auth_time,
    claims,
    login_id,
    limits.authorization_code_seconds,
  ])
}

type StoredCode = Omit<AuthorizationCode, 'claims' | 'link_id'> & { readonly redeemable: boolean }

const selectCode = defineStatement<StoredCode>(
  `select consumed_at is null and expires_at > now() as redeemable, client_id, redirect_uri, site, identifier, provider,
     provider_user_id, scope, nonce, code_challenge, code_challenge_method, auth_time, login_id, recorded_at
   from authorization_codes where site = $1 and code_hash = $2 and client_id = $3`,
)

/** A code that was issued to this client; `redeemable` unless it is expired or consumed. */
export async function findCode(
  executor: Executor,
  { site, code, client_id }: PresentedCode,
): Promise<StoredCode | undefined> {
  return (await selectCode(executor, [site, hashSecret(code), client_id])).rows[0]
}

const consume = defineStatement(
  `with consumed as (
     update authorization_codes set consumed_at = now()
     where site = $1 and code_hash = $2 and client_id = $3 and consumed_at is null and expires_at > now()
     returning site, code_hash, link_id
   ), issued as (
     insert into access_tokens (site, token_hash, code_hash, expires_at)
     select site, $4, code_hash, now() + make_interval(secs => $5) from consumed
     where $4::text is not null
   ), answered as (
     select site, link_id, $3::text as client_id, $6::text[] as received from consumed where $4::text is not null
   ), recorded as (
     ${insertOfRecipient('answered')}
   )
   select from consumed`,
)

/** The access token that is issued for a code, and what the client receives with it. */
interface IssuedTokens {
  readonly access_token: string
  readonly received: readonly ReceivedData[]
}

/**
 * Consumes a code, stores the access token that is issued for it, if any, and records that the client received data, in one
 * statement: none exists without the others after a crash.
 *
 * @returns true for one caller only, also if several try at the same time
 */
export async function consumeCode(
  knex: Knex,
  { site, code, client_id }: PresentedCode,
  issued?: IssuedTokens,
): Promise<boolean> {
  const tokenHash = issued === undefined ? null : hashSecret(issued.access_token)
  const { rowCount } = await consume(knex, [
    site,
    hashSecret(code),
    client_id,
    tokenHash,
    limits.access_token_seconds,
    issued?.received ?? [],
  ])
  return rowCount === 1
}

/** Revokes the tokens that were or are being issued for a code. */
export async function revokeCode(knex: Knex, { site, code, client_id }: PresentedCode): Promise<void> {
  await knex('authorization_codes')
    .where({ site, code_hash: hashSecret(code), client_id, revoked_at: null })
    .update({ revoked_at: knex.fn.now() })
}

/** Deletes codes of links, and with them their access tokens. */
export async function deleteLinkCodes(
  trx: Knex.Transaction,
  { site, link_ids, recorded_until }: LinkLogins,
): Promise<void> {
  await trx('authorization_codes')
    .where({ site })
    .whereIn('link_id', [...link_ids])
    .where('recorded_at', '<=', recorded_until)
    .delete()
}

/** Deletes codes of a client for logins with links, and with them their access tokens. */
export async function deleteClientCodes(
  trx: Knex.Transaction,
  { site, link_ids, client_id }: ClientAccess,
): Promise<void> {
  await trx('authorization_codes')
    .where({ site, client_id })
    .whereIn('link_id', [...link_ids])
    .delete()
}

/** Deletes codes whose access tokens have also expired. */
export async function deleteExpiredCodes(knex: Knex): Promise<void> {
  await knex('authorization_codes')
    .whereRaw('expires_at < now() - make_interval(secs => ?)', [limits.access_token_seconds])
    .delete()
}

export interface PresentedCode {
  readonly site: number
  readonly code: string
  readonly client_id: string
}

export function claimsContextOf(codeHash: string): EncryptionContext {
  return ['authorization_codes', codeHash, 'claims']
}

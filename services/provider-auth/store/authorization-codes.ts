import type { Knex } from 'knex'
import { limits, type Provider } from '#contracts'
import { hashSecret, type Place, type Sealer } from '#runtime'
import { keptChallenge } from '../domain/pkce.ts'
import type { User } from './forgotten-users.ts'
import { lockHeir } from './heirs.ts'
import type { Unlinking } from './unlinked-providers.ts'

/** What a login ended in, until its client fetches the tokens. */
export interface AuthorizationCode {
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
  /** When the login was recorded, by identity's clock. */
  readonly recorded_at: Date
  /** The claims of the granted scopes as this login supplied them; kept sealed. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Keeps a code by its hash. What is not to be kept any more (`lockHeir`) is not, so that the code is an invalid one. */
export async function insertAuthorizationCode(
  trx: Knex.Transaction,
  sealer: Sealer,
  { code, ...login }: AuthorizationCode & { readonly code: string },
): Promise<void> {
  const heir = await lockHeir(trx, login)
  if (heir === undefined) return
  const code_hash = hashSecret(code)
  await trx('authorization_codes').insert({
    ...login,
    ...keptChallenge(login),
    ...heir,
    code_hash,
    claims: sealer.seal(JSON.stringify(login.claims), claimsPlace(code_hash)),
    expires_at: trx.raw('now() + make_interval(secs => ?)', [limits.authorization_code_seconds]),
  })
}

/** A code this client may redeem: its own, alive, not consumed. */
export async function findRedeemableCode(
  knex: Knex,
  { code, client_id }: PresentedCode,
): Promise<Omit<AuthorizationCode, 'claims' | 'recorded_at'> | undefined> {
  return knex('authorization_codes')
    .where({ code_hash: hashSecret(code), client_id, consumed_at: null })
    .where('expires_at', '>', knex.fn.now())
    .first(
      'client_id',
      'redirect_uri',
      'site',
      'identifier',
      'provider',
      'provider_user_id',
      'scope',
      'nonce',
      'code_challenge',
      'code_challenge_method',
      'auth_time',
    )
}

/** True for one caller alone, whoever else tries at the same time. */
export async function consumeCode(knex: Knex, { code, client_id }: PresentedCode): Promise<boolean> {
  const consumed = await knex('authorization_codes')
    .where({ code_hash: hashSecret(code), client_id, consumed_at: null })
    .where('expires_at', '>', knex.fn.now())
    .update({ consumed_at: knex.fn.now() })
  return consumed === 1
}

/** Voids what was or is being issued for a code. */
export async function revokeCode(knex: Knex, { code, client_id }: PresentedCode): Promise<void> {
  await knex('authorization_codes')
    .where({ code_hash: hashSecret(code), client_id, revoked_at: null })
    .update({ revoked_at: knex.fn.now() })
}

/** With a code go the access tokens issued for it. */
export async function removeCodesOfUser(trx: Knex.Transaction, { site, identifier }: User): Promise<void> {
  await trx('authorization_codes').where({ site, identifier }).delete()
}

/** Removes the codes that logins ended in before their provider was unlinked, and with them their access tokens. */
export async function removeUnlinkedCodes(
  trx: Knex.Transaction,
  { site, identifier }: User,
  { providers, unlinked_at }: Unlinking,
): Promise<void> {
  await trx('authorization_codes')
    .where({ site, identifier })
    .whereIn('provider', providers)
    .where('recorded_at', '<=', unlinked_at)
    .delete()
}

/** Removes codes whose access tokens have expired, too. */
export async function removeOutdatedCodes(knex: Knex): Promise<void> {
  await knex('authorization_codes')
    .whereRaw('expires_at < now() - make_interval(secs => ?)', [limits.access_token_seconds])
    .delete()
}

export interface PresentedCode {
  readonly code: string
  readonly client_id: string
}

export function claimsPlace(code_hash: string): Place {
  return ['authorization_codes', code_hash, 'claims']
}

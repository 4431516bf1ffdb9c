import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import type { Encryptor } from '#runtime'
import type { Tokens } from '../domain/credential.ts'
import { newTokens } from './credentials.ts'
import { type EncryptedCredential, encryptTokens } from './encrypted-credentials.ts'

/** Which credential, and with which tokens. */
type Held = Pick<EncryptedCredential, 'link_id' | 'token_set'>

/**
 * Takes the right to renew a credential's tokens, for a time; one statement, so that of all replicas one has it.
 *
 * @returns how often renewing them failed before; undefined when somebody else is at it, or they are others by now
 */
export async function claimRenewal(
  knex: Knex,
  { link_id, token_set }: Held,
  seconds: number,
): Promise<{ readonly failed_renewals: number } | undefined> {
  const [claimed] = await knex('credentials')
    .where({ link_id, token_set, needs_reauth_at: null })
    .whereRaw('coalesce(renewing_until <= now(), true) and coalesce(renew_not_before <= now(), true)')
    .update({ renewing_until: inSeconds(knex, seconds) })
    .returning('failed_renewals')
  return claimed
}

/**
 * Stores new tokens in the place of those they were renewed from. Undefined when a login brought others meanwhile, or the link
 * was deleted.
 */
export async function updateRenewed(
  trx: Knex.Transaction,
  encryptor: Encryptor,
  held: Held,
  tokens: Tokens,
): Promise<EncryptedCredential | undefined> {
  const { link_id, token_set } = held
  const [renewed] = await trx('credentials')
    .where({ link_id, token_set })
    .update({ ...encryptTokens(encryptor, tokens, held), expires_at: tokens.expires_at, ...newTokens(trx) })
    .returning('*')
  return renewed
}

/** Remembers that renewing failed, and for how long nobody shall try again. */
export async function updateFailed(knex: Knex, { link_id, token_set }: Held, pauseSeconds: number): Promise<void> {
  await knex('credentials')
    .where({ link_id, token_set })
    .update({
      renewing_until: null,
      renew_not_before: inSeconds(knex, pauseSeconds),
      failed_renewals: knex.raw('failed_renewals + 1'),
    })
}

/** Remembers that only a login of the person helps. */
export async function updateNeedsReauth(knex: Knex, { link_id, token_set }: Held): Promise<void> {
  await knex('credentials')
    .where({ link_id, token_set })
    .update({ renewing_until: null, needs_reauth_at: knex.fn.now() })
}

/** How many credentials only a login of their person can renew; of providers without one nothing. */
export async function countNeedingReauth(knex: Knex): Promise<readonly { provider: Provider; count: number }[]> {
  return knex('credentials')
    .whereNotNull('needs_reauth_at')
    .groupBy('provider')
    .select('provider', knex.raw('count(*)::integer as count'))
}

function inSeconds(knex: Knex, seconds: number): Knex.Raw {
  return knex.raw('now() + make_interval(secs => ?)', [seconds])
}

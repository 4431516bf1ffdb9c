import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import { storeEvents, transaction } from '#database'
import type { Encryptor } from '#runtime'
import type { ProviderTokens } from '../domain/credential.ts'
import { type EncryptedCredential, encryptTokens } from './encrypted-credentials.ts'

/** A credential with a particular set of tokens. */
type TokenSetKey = Pick<EncryptedCredential, 'site' | 'link_id' | 'token_set'>

/**
 * Locks a credential for a refresh, for a limited time, in one statement: only one replica gets the lock.
 *
 * @returns the number of failed refreshes; undefined if another replica holds the lock or the tokens have changed
 */
export async function lockForRefresh(
  knex: Knex,
  { site, link_id, token_set }: TokenSetKey,
  seconds: number,
): Promise<{ readonly failed_refreshes: number } | undefined> {
  const [claimed] = await knex('credentials')
    .where({ site, link_id, token_set, needs_reauth_at: null })
    .whereRaw('(refresh_locked_until is null or refresh_locked_until <= now())')
    .whereRaw('(refresh_not_before is null or refresh_not_before <= now())')
    .update({ refresh_locked_until: secondsFromNow(knex, seconds) })
    .returning('failed_refreshes')
  return claimed
}

/** Extends the lock of a refresh that continues. */
export async function extendRefreshLock(
  knex: Knex,
  { site, link_id, token_set }: TokenSetKey,
  seconds: number,
): Promise<void> {
  await knex('credentials')
    .where({ site, link_id, token_set })
    .whereNotNull('refresh_locked_until')
    .update({ refresh_locked_until: secondsFromNow(knex, seconds) })
}

/**
 * Replaces the tokens that were refreshed. Undefined if a login has stored other tokens meanwhile, or the link was
 * deleted.
 */
export async function updateRefreshedTokens(
  trx: Knex.Transaction,
  encryptor: Encryptor,
  key: TokenSetKey,
  tokens: ProviderTokens,
): Promise<EncryptedCredential | undefined> {
  const { site, link_id, token_set } = key
  const [renewed] = await trx('credentials')
    .where({ site, link_id, token_set })
    .update({ ...encryptTokens(encryptor, tokens, key), expires_at: tokens.expires_at, ...resetRefreshState(trx) })
    .returning('*')
  return renewed
}

/** Records a failed refresh and when the next attempt is allowed. */
export async function recordRefreshFailure(
  knex: Knex,
  { site, link_id, token_set }: TokenSetKey,
  pauseSeconds: number,
): Promise<void> {
  await knex('credentials')
    .where({ site, link_id, token_set })
    .update({
      refresh_locked_until: null,
      refresh_not_before: secondsFromNow(knex, pauseSeconds),
      failed_refreshes: knex.raw('failed_refreshes + 1'),
    })
}

/** Records that the credential needs reauthentication, with the event. */
export async function recordReauthNeeded(
  knex: Knex,
  { site, link_id, token_set, provider }: TokenSetKey & Pick<EncryptedCredential, 'provider'>,
): Promise<void> {
  await transaction(knex, async (trx) => {
    const changed = await trx('credentials')
      .where({ site, link_id, token_set, needs_reauth_at: null })
      .update({ refresh_locked_until: null, needs_reauth_at: trx.fn.now() })
    if (changed === 1) {
      const user = { link_id }
      const type = 'credential.reauthentication_required'
      await storeEvents(trx, [{ type, site, user, data: { provider }, time: new Date() }])
    }
  })
}

/** Counts the credentials that need reauthentication, by provider; providers without any are absent. */
export async function countReauthNeeded(knex: Knex): Promise<readonly { provider: Provider; count: number }[]> {
  return knex('credentials')
    .whereNotNull('needs_reauth_at')
    .groupBy('provider')
    .select('provider', knex.raw('count(*)::integer as count'))
}

function secondsFromNow(knex: Knex, seconds: number): Knex.Raw {
  return knex.raw('now() + make_interval(secs => ?)', [seconds])
}

/** The columns to reset when a row gets new tokens. */
function resetRefreshState(trx: Knex.Transaction) {
  return {
    token_set: randomUUID(),
    refresh_locked_until: null,
    failed_refreshes: 0,
    refresh_not_before: null,
    needs_reauth_at: null,
    updated_at: trx.fn.now(),
  }
}

import type { Knex } from 'knex'
import { limits } from '#contracts'
import { hashSecret } from '#runtime'
import { addSeconds } from '../domain/time.ts'
import { deleteOldest } from './delete-oldest.ts'

/** A sign-in in progress at the operator's own OpenID provider, or at the provider of an account. */
export interface PendingSignIn {
  readonly nonce: string
  readonly code_verifier: string
  /** Path of the web console to return to. */
  readonly return_to: string
  /** The invitation to accept. */
  readonly invitation_id: string | null
  /** The session to confirm. */
  readonly session_id: string | null
  readonly started_at: Date
  /** The account whose provider was asked, with the revision of its settings; null: the operator's own provider. */
  readonly account: string | null
  readonly provider_revision: number | null
  /** The test whose result is stored, instead of a sign-in. */
  readonly test_id: string | null
}

/** Binds the callback to the browser that started the sign-in. */
interface PendingSignInKey {
  readonly state: string
  readonly browser: string
}

/** @param signIn with the source of the request that started it */
export async function insertPendingSignIn(
  knex: Knex,
  { state, browser, ...signIn }: PendingSignIn & PendingSignInKey & { readonly source: string },
): Promise<void> {
  await knex('pending_sign_ins').insert({
    ...signIn,
    state_hash: hashSecret(state),
    browser_hash: hashSecret(browser),
    expires_at: addSeconds(signIn.started_at, limits.console_challenge_seconds),
  })
  await deleteOldest(knex, 'pending_sign_ins', signIn.source)
}

/**
 * Deletes and returns the sign-in; undefined if it belongs to another browser or provider, was completed before, or has expired.
 *
 * @param account of the redirect URI that received the response (mix-up defense, RFC 9700 4.4.2.2)
 */
export async function takePendingSignIn(
  knex: Knex,
  { state, browser, account }: PendingSignInKey & Pick<PendingSignIn, 'account'>,
  now: Date,
): Promise<PendingSignIn | undefined> {
  const [taken] = await knex('pending_sign_ins')
    .where({ state_hash: hashSecret(state), browser_hash: hashSecret(browser), account })
    .where('expires_at', '>', now)
    .delete()
    .returning<PendingSignIn[]>('*')
  return taken
}

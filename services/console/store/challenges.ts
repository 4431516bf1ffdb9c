import type { Knex } from 'knex'
import { limits } from '#contracts'
import { hashSecret } from '#runtime'
import { addSeconds } from '../domain/time.ts'
import { deleteOldest } from './delete-oldest.ts'

export type Purpose = 'sign_in' | 'confirm' | 'add'

/** A challenge for an authenticator to sign. */
export interface PasskeyChallenge {
  readonly purpose: Purpose
  /** The browser that requested the challenge; only it can use it. */
  readonly browser: string
  readonly challenge: string
  /** The source of the request that started it. */
  readonly source: string
  /** The only member who can use it; null: any member with a passkey. */
  readonly member_id?: string
  /** The invitation for which a passkey is added. */
  readonly invitation_id?: string
}

export async function insertChallenge(
  knex: Knex,
  { browser, ...challenge }: PasskeyChallenge,
  now: Date,
): Promise<void> {
  await knex('challenges').insert({
    ...challenge,
    browser_hash: hashSecret(browser),
    expires_at: addSeconds(now, limits.console_challenge_seconds),
  })
  await deleteOldest(knex, 'challenges', challenge.source)
}

/** Deletes and returns the challenge; undefined if it belongs to another browser, was used before, or has expired. */
export async function takeChallenge(
  knex: Knex,
  { browser, challenge, purpose }: Pick<PasskeyChallenge, 'browser' | 'challenge' | 'purpose'>,
  now: Date,
): Promise<{ member_id: string | null; invitation_id: string | null } | undefined> {
  const [taken] = await knex('challenges')
    .where({ challenge, purpose, browser_hash: hashSecret(browser) })
    .where('expires_at', '>', now)
    .delete()
    .returning<{ member_id: string | null; invitation_id: string | null }[]>(['member_id', 'invitation_id'])
  return taken
}

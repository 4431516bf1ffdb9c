import type { Knex } from 'knex'
import { limits } from '#contracts'
import { hashSecret } from '#runtime'
import { secondsAfter } from '../domain/lives.ts'
import { keepNewest } from './keep-newest.ts'

export type Purpose = 'sign_in' | 'confirm' | 'add'

/** What an authenticator is to sign. */
export interface Challenge {
  readonly purpose: Purpose
  /** Of the browser that asked for it: nobody else can answer it. */
  readonly browser: string
  readonly challenge: string
  /** The source of the request that started it. */
  readonly source: string
  /** Who is to answer it; null: whoever has a passkey. */
  readonly member_id?: string
  /** The link by which a passkey is added. */
  readonly invitation_id?: string
}

export async function insertChallenge(knex: Knex, { browser, ...challenge }: Challenge, now: Date): Promise<void> {
  await knex('challenges').insert({
    ...challenge,
    browser_hash: hashSecret(browser),
    expires_at: secondsAfter(now, limits.console_challenge_seconds),
  })
  await keepNewest(knex, 'challenges', challenge.source)
}

/** Uses the challenge up, however the answer turns out; undefined when it was not asked here, used before, or is too old. */
export async function takeChallenge(
  knex: Knex,
  { browser, challenge, purpose }: Pick<Challenge, 'browser' | 'challenge' | 'purpose'>,
  now: Date,
): Promise<{ member_id: string | null; invitation_id: string | null } | undefined> {
  const [taken] = await knex('challenges')
    .where({ challenge, purpose, browser_hash: hashSecret(browser) })
    .where('expires_at', '>', now)
    .delete()
    .returning<{ member_id: string | null; invitation_id: string | null }[]>(['member_id', 'invitation_id'])
  return taken
}

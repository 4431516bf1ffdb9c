import type { Knex } from 'knex'
import { limits } from '#contracts'
import { hashSecret } from '#runtime'
import { secondsAfter } from '../domain/lives.ts'
import { keepNewest } from './keep-newest.ts'

/** Somebody on the way to the operator's own OpenID provider and back. */
export interface ProviderVisit {
  readonly nonce: string
  readonly code_verifier: string
  /** Path of the web console to go on at. */
  readonly return_to: string
  /** The link by which somebody becomes a member. */
  readonly invitation_id: string | null
  /** The session to be confirmed. */
  readonly session_id: string | null
  readonly began_at: Date
}

/** What binds the way back to the browser that left. */
interface Ticket {
  readonly state: string
  readonly browser: string
}

/** @param visit with the source of the request that started it */
export async function insertVisit(
  knex: Knex,
  { state, browser, ...visit }: ProviderVisit & Ticket & { readonly source: string },
): Promise<void> {
  await knex('provider_visits').insert({
    ...visit,
    state_hash: hashSecret(state),
    browser_hash: hashSecret(browser),
    expires_at: secondsAfter(visit.began_at, limits.console_challenge_seconds),
  })
  await keepNewest(knex, 'provider_visits', visit.source)
}

/** Ends the visit, once; undefined when it did not begin in this browser, ended before, or took too long. */
export async function takeVisit(knex: Knex, { state, browser }: Ticket, now: Date): Promise<ProviderVisit | undefined> {
  const [taken] = await knex('provider_visits')
    .where({ state_hash: hashSecret(state), browser_hash: hashSecret(browser) })
    .where('expires_at', '>', now)
    .delete()
    .returning<ProviderVisit[]>('*')
  return taken
}

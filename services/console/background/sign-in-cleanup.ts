import type { Knex } from 'knex'
import { limits } from '#contracts'
import { startCleanup } from '#runtime'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'

/** Deletes expired challenges, invitations, sessions and pending sign-ins regularly, until disposed. */
export function startSignInCleanup({
  knex,
  now,
  ...parts
}: Pick<Deps, 'knex' | 'now' | 'logger' | 'registry'>): Disposable {
  return startCleanup('sessions', () => cleanUpSignIns(knex, now()), parts)
}

async function cleanUpSignIns(knex: Knex, now: Date): Promise<void> {
  await knex('challenges').where('expires_at', '<', now).delete()
  await knex('pending_sign_ins').where('expires_at', '<', now).delete()
  await knex('sign_in_tests').where('expires_at', '<', now).delete()
  await knex('invitations').where('expires_at', '<', now).delete()
  await knex('sessions')
    .where('last_seen_at', '<', addSeconds(now, -limits.console_session_idle_seconds))
    .orWhere('started_at', '<', addSeconds(now, -limits.console_session_absolute_seconds))
    .delete()
}

import type { Knex } from 'knex'
import { limits } from '#contracts'
import { startCleanup } from '#runtime'
import type { Deps } from '../deps.ts'
import { secondsAfter } from '../domain/lives.ts'

/** Removes what nobody can use any more, until disposed. */
export function startSweep({ knex, now, ...parts }: Pick<Deps, 'knex' | 'now' | 'logger' | 'registry'>): Disposable {
  return startCleanup('sessions', () => sweep(knex, now()), parts)
}

async function sweep(knex: Knex, now: Date): Promise<void> {
  await knex('challenges').where('expires_at', '<', now).delete()
  await knex('provider_visits').where('expires_at', '<', now).delete()
  await knex('invitations').where('expires_at', '<', now).delete()
  await knex('sessions')
    .where('last_seen_at', '<', secondsAfter(now, -limits.console_session_idle_seconds))
    .orWhere('began_at', '<', secondsAfter(now, -limits.console_session_absolute_seconds))
    .delete()
}

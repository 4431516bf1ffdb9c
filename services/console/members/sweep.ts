import type { Knex } from 'knex'
import { limits } from '#contracts'
import type { Deps } from '../deps.ts'
import { secondsAfter } from './lives.ts'

const sweep_every_ms = 60_000

/** Removes what nobody can use any more, until disposed. */
export function startSweep({ knex, now, logger }: Pick<Deps, 'knex' | 'now' | 'logger'>): Disposable {
  const timer = setInterval(
    () => sweep(knex, now()).catch((error: unknown) => logger.warn({ error }, 'sweep failed')),
    sweep_every_ms,
  ).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
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

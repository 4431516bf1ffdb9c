import { runCommand } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { readClock } from '../store/clock.ts'
import { endSessionsBefore } from '../store/user-blocks.ts'
import { lockUserByIds } from '../store/user-lookup.ts'

export const endUserSessions: IdentityHandlers['endUserSessions'] = async ({ site, command, ...ids }, { knex }) =>
  runCommand(
    knex,
    { site, command },
    async (trx) => {
      const { identifier } = await lockUserByIds(trx, site, ids)
      await endSessionsBefore(trx, { site, identifier }, await readClock(trx))
      return {}
    },
    () => ({}),
  )

import { runCommand } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { mappingEvent } from '../domain/user-events.ts'
import { lockUserByIds } from '../store/user-lookup.ts'
import { updatePrimaryKey } from '../store/users.ts'

export const unmapPrimaryKey: IdentityHandlers['unmapPrimaryKey'] = async ({ site, command, ...ids }, { knex }) =>
  runCommand(
    knex,
    { site, command },
    async (trx) => {
      const user = await lockUserByIds(trx, site, ids)
      const changed = { ...user, site, primary_key: null, time: new Date() }
      const event = mappingEvent(changed, user.primary_key)
      if (event !== undefined) await updatePrimaryKey(trx, changed, changed, event)
      return {}
    },
    () => ({}),
  )

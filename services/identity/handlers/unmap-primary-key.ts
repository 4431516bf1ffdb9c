import { runCommand } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { lockUserByIds } from '../store/user-lookup.ts'
import { updatePrimaryKey } from '../store/users.ts'

export const unmapPrimaryKey: IdentityHandlers['unmapPrimaryKey'] = async ({ site, command, ...ids }, { knex }) =>
  runCommand(
    knex,
    { site, command },
    async (trx) => {
      const { identifier } = await lockUserByIds(trx, site, ids)
      await updatePrimaryKey(trx, { site, identifier }, null, new Date())
      return {}
    },
    () => ({}),
  )

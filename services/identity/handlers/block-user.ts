import { Fault } from '#contracts'
import { runCommand } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { blockedEvent, unblockedEvent } from '../domain/user-events.ts'
import { readClock } from '../store/clock.ts'
import { removeBlock, storeBlock } from '../store/user-blocks.ts'
import { lockUserByIds } from '../store/user-lookup.ts'

export const blockUser: IdentityHandlers['blockUser'] = async (
  { site, command, until, reason, by, keeps_block = false, ...ids },
  { knex },
) =>
  runCommand(
    knex,
    { site, command },
    async (trx) => {
      const user = await lockUserByIds(trx, site, ids)
      if (keeps_block && user.block !== undefined) return {}
      const time = await readClock(trx)
      if (until !== null && Date.parse(until) <= time.getTime())
        throw new Fault('invalid_parameter', { fields: [{ field: 'until', reason: 'must be in the future' }] })
      const changed = { ...user, site, time }
      const since = user.block === undefined ? time : null
      await storeBlock(trx, changed, { since, until, reason, by }, time, blockedEvent(changed, until))
      return {}
    },
    () => ({}),
  )

export const unblockUser: IdentityHandlers['unblockUser'] = async ({ site, command, only_by, ...ids }, { knex }) =>
  runCommand(
    knex,
    { site, command },
    async (trx) => {
      const user = await lockUserByIds(trx, site, ids)
      const changed = { ...user, site, time: await readClock(trx) }
      const { block } = user
      if (block !== undefined && (only_by === undefined || block.by === only_by))
        await removeBlock(trx, changed, unblockedEvent(changed))
      return {}
    },
    () => ({}),
  )

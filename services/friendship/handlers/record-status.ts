import { transaction } from '#database'
import type { FriendshipHandlers } from '../deps.ts'
import { hand, lockHeir } from '../heirs.ts'

export const recordStatus: FriendshipHandlers['recordStatus'] = async (
  { friendship_status, obtained_at, ...user },
  { knex },
) => {
  const friendship_status_updated_at = new Date(obtained_at)
  await transaction(knex, async (trx) => {
    await hand(trx, await lockHeir(trx, user), { friendship_status, friendship_status_updated_at, brought_at: null })
  })
  return {}
}

import { remainingMs } from '#bus'
import { Fault } from '#contracts'
import { transaction } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { deleteLinksMessages } from '../outbox.ts'
import { readClock } from '../store/clock.ts'
import { listLinks } from '../store/links.ts'
import { deleteUserRow, lockUser } from '../store/users.ts'

export const deleteUser: IdentityHandlers['deleteUser'] = async (user, { knex, outbox }, call) => {
  const messages = await transaction(knex, async (trx) => {
    if ((await lockUser(trx, user)) === undefined) throw new Fault('entity_not_found')
    const linkIds = (await listLinks(trx, user)).map(({ link_id }) => link_id)
    const deletedAt = (await readClock(trx)).toISOString()
    await deleteUserRow(trx, user)
    const messages = deleteLinksMessages({ ...user, link_ids: linkIds, deleted_at: deletedAt, profile: 'delete' })
    await outbox.enqueue(trx, messages)
    return messages
  })
  await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  return {}
}

import { remainingMs } from '#bus'
import { runCommand, storeEvents } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { deletedEvent } from '../domain/user-events.ts'
import { deleteLinksMessages, type IdentityMessage } from '../outbox.ts'
import { readClock } from '../store/clock.ts'
import { listLinks } from '../store/links.ts'
import { lockUserByIds } from '../store/user-lookup.ts'
import { deleteUserRow } from '../store/users.ts'

export const deleteUser: IdentityHandlers['deleteUser'] = async ({ site, command, ...ids }, { knex, outbox }, call) => {
  const messages = await runCommand<IdentityMessage[]>(
    knex,
    { site, command },
    async (trx) => {
      // For update, so that no response with the user's data is stored meanwhile.
      const { identifier, primary_key } = await lockUserByIds(trx, site, ids, 'update')
      const user = { site, identifier }
      const linkIds = (await listLinks(trx, user)).map(({ link_id }) => link_id)
      const time = await readClock(trx)
      await deleteUserRow(trx, user)
      const messages = deleteLinksMessages({
        ...user,
        link_ids: linkIds,
        deleted_at: time.toISOString(),
        profile: 'delete',
      })
      await outbox.enqueue(trx, messages)
      await storeEvents(trx, [deletedEvent({ ...user, primary_key, time })])
      return messages
    },
    () => [],
  )
  await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  return {}
}

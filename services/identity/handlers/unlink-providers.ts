import { remainingMs } from '#bus'
import { Fault } from '#contracts'
import { transaction } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { checkUnlinking } from '../domain/unlinking.ts'
import { deleteLinksMessages } from '../outbox.ts'
import { readClock } from '../store/clock.ts'
import { deleteLinkRows, listLinks } from '../store/links.ts'
import { lockUser } from '../store/users.ts'

export const unlinkProviders: IdentityHandlers['unlinkProviders'] = async (input, { knex, outbox }, call) => {
  const { site, identifier, nowarn, nomerge } = input
  const user = { site, identifier }
  const providers = [...new Set(input.providers)]
  const messages = await transaction(knex, async (trx) => {
    if ((await lockUser(trx, user)) === undefined) throw new Fault('entity_not_found')
    checkUnlinking(await listLinks(trx, user), { providers, nowarn })
    const linkIds = await deleteLinkRows(trx, user, providers)
    const deletedAt = (await readClock(trx)).toISOString()
    const messages = deleteLinksMessages({
      ...user,
      link_ids: linkIds,
      deleted_at: deletedAt,
      profile: nomerge ? 'keep' : 'combine',
    })
    await outbox.enqueue(trx, messages)
    return messages
  })
  const late = await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  if (!nomerge && late.some(({ to }) => to === 'profile.deleteLinks')) throw new Fault('operation_failed')
  return { unlinked: providers }
}

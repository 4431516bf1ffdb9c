import { remainingMs } from '#bus'
import { Fault } from '#contracts'
import { runCommand } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { checkUnlinking } from '../domain/unlinking.ts'
import { deleteLinksMessages, type IdentityMessage } from '../outbox.ts'
import { readClock } from '../store/clock.ts'
import { deleteLinkRows, listLinks } from '../store/links.ts'
import { lockUserByIds } from '../store/user-lookup.ts'

export const unlinkProviders: IdentityHandlers['unlinkProviders'] = async (input, { knex, outbox }, call) => {
  const { site, nowarn, nomerge, command } = input
  const providers = [...new Set(input.providers)]
  const messages = await runCommand<IdentityMessage[]>(
    knex,
    { site, command },
    async (trx) => {
      const { identifier } = await lockUserByIds(trx, site, input)
      const user = { site, identifier }
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
    },
    () => [],
  )
  const late = await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  if (!nomerge && late.some(({ to }) => to === 'profile.deleteLinks')) throw new Fault('operation_failed')
  return { unlinked: providers }
}

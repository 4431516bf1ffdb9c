import { remainingMs } from '#bus'
import { Fault } from '#contracts'
import { runCommand, storeEvents } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { checkUnlinking } from '../domain/unlinking.ts'
import { unlinkedEvents } from '../domain/user-events.ts'
import { enqueueEndUserAction } from '../enqueue-end-user-action.ts'
import { deleteLinksMessages, type IdentityMessage, profileMessageKey } from '../outbox.ts'
import { readClock } from '../store/clock.ts'
import { deleteLinkRows, listLinks } from '../store/links.ts'
import { lockUserByIds } from '../store/user-lookup.ts'

export const unlinkProviders: IdentityHandlers['unlinkProviders'] = async (input, deps, call) => {
  const { knex, outbox } = deps
  const { site, nowarn, nomerge, by_end_user, command } = input
  const providers = [...new Set(input.providers)]
  const messages = await runCommand<IdentityMessage[]>(
    knex,
    { site, command },
    async (trx) => {
      const { identifier, primary_key } = await lockUserByIds(trx, site, input)
      const user = { site, identifier }
      checkUnlinking(await listLinks(trx, user), { providers, nowarn })
      const linkIds = await deleteLinkRows(trx, user, providers)
      const time = await readClock(trx)
      const deletion = { ...user, link_ids: linkIds, deleted_at: time.toISOString() }
      const messages = deleteLinksMessages({ ...deletion, profile: nomerge ? 'keep' : 'combine' }, { command })
      await outbox.enqueue(trx, messages)
      if (by_end_user)
        for (const provider of providers)
          await enqueueEndUserAction(
            trx,
            { ...user, time },
            { action: 'unlinkOwnAccount', details: { provider } },
            deps,
            call,
          )
      await storeEvents(trx, unlinkedEvents({ ...user, primary_key, time }, providers))
      return messages
    },
    // The profile may not be combined yet: an earlier attempt may still wait for it.
    (trx) => outbox.findStored(trx, [profileMessageKey('profile.deleteLinks', { site, command })]),
  )
  const late = await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  if (!nomerge && late.some(({ to }) => to === 'profile.deleteLinks')) throw new Fault('operation_failed')
  return { unlinked: providers }
}

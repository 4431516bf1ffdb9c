import { remainingMs } from '#bus'
import { limits } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { eventSettingsMessage, excludedFieldsMessage } from '../outbox.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { insertSite } from '../store/sites.ts'

export const createSite: IdentityHandlers['createSite'] = async (site, deps, call) => {
  const { created, messages } = await commitSiteChange(deps, async (trx, revision) => {
    const created = await insertSite(trx, {
      ...site,
      requests_per_window: site.requests_per_window ?? limits.requests_per_window,
      revision,
    })
    const messages = [
      ...(Object.keys(created.profile_not_stored).length === 0 ? [] : [excludedFieldsMessage(created)]),
      ...(created.profile_in_events ? [eventSettingsMessage(created)] : []),
    ]
    await deps.outbox.enqueue(trx, messages)
    return { created, messages }
  })
  await deps.outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  return created
}

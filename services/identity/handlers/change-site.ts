import { remainingMs } from '#bus'
import { Fault } from '#contracts'
import { prepareCallbackRuleChange } from '../callback-rules.ts'
import type { IdentityHandlers } from '../deps.ts'
import { eventSettingsMessage, excludedFieldsMessage } from '../outbox.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { lockSite, updateSettings } from '../store/sites.ts'

export const changeSite: IdentityHandlers['changeSite'] = async (
  { site, expected_revision, ...changes },
  deps,
  call,
) => {
  const preparedRevision = await prepareCallbackRuleChange({ site, expected_revision, ...changes }, deps, call)
  const { changed, messages } = await commitSiteChange(deps, async (trx, revision) => {
    const before = await lockSite(trx, site)
    if (before === undefined) throw new Fault('entity_not_found')
    const expected = expected_revision ?? preparedRevision
    if (expected !== undefined && expected !== before.revision) throw new Fault('changed_meanwhile')
    const changed = await updateSettings(trx, site, { ...changes, revision })
    if (changed === undefined) throw new Fault('entity_not_found')
    const messages = [
      ...(changes.profile_not_stored === undefined ? [] : [excludedFieldsMessage(changed)]),
      ...(changes.profile_in_events === undefined ? [] : [eventSettingsMessage(changed)]),
    ]
    await deps.outbox.enqueue(trx, messages)
    return { changed, messages }
  })
  await deps.outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  return changed
}

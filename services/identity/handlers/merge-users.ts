import { remainingMs } from '#bus'
import { Fault } from '#contracts'
import { runCommand, storeEvents } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { areSameConsents, mergeConsents } from '../domain/consents.ts'
import { checkNoSharedProvider } from '../domain/merge-rules.ts'
import { isSameMetadata } from '../domain/metadata.ts'
import { blockedEvent, consentsChangedEvent, mergedEvent, metadataChangedEvent } from '../domain/user-events.ts'
import { mergeWithinSchemas } from '../metadata-validation.ts'
import { type IdentityMessage, mergeProfilesMessage, profileMessageKey } from '../outbox.ts'
import { readClock } from '../store/clock.ts'
import { findConsents, storeConsents } from '../store/consents.ts'
import { listLinks, moveLinks } from '../store/links.ts'
import { lockPair } from '../store/lock-pair.ts'
import { moveLogins } from '../store/login-history.ts'
import { mergeUserRows } from '../store/merge-user-rows.ts'
import { findMetadata, storeMetadata } from '../store/user-metadata.ts'

export const mergeUsers: IdentityHandlers['mergeUsers'] = async (
  { site, nomerge, command, ...pair },
  { knex, outbox, readSiteSchemas },
  call,
) => {
  const messages = await runCommand<IdentityMessage[]>(
    knex,
    { site, command },
    async (trx) => {
      const { source, destination } = await lockPair(trx, site, pair)
      const from = { site, identifier: source }
      const to = { site, identifier: destination }
      const links = await listLinks(trx, from)
      checkNoSharedProvider(links, await listLinks(trx, to))
      await moveLinks(trx, from, to)
      await moveLogins(trx, from, to)
      // Before the source's row is deleted, and its metadata and answers with it.
      const sourceMetadata = await findMetadata(trx, from)
      const metadata = await findMetadata(trx, to)
      const consents = await findConsents(trx, to)
      const mergedConsents = mergeConsents(await findConsents(trx, from), consents)
      const merged = await mergeUserRows(trx, from, to)
      const time = await readClock(trx)
      const linkIds = links.map(({ link_id }) => link_id)
      const merge = { site, source, destination, link_ids: linkIds, merged_at: time.toISOString(), combine: !nomerge }
      const messages = [mergeProfilesMessage(merge, command)]
      await outbox.enqueue(trx, messages)
      const providers = links.map(({ provider }) => provider)
      const changed = { ...merged.user, site, time }
      const { newBlock } = merged
      await storeEvents(trx, [
        mergedEvent(changed, { ...merged, providers }),
        ...(newBlock === undefined ? [] : [blockedEvent(changed, newBlock.until)]),
      ])
      const readSchemas = () => readSiteSchemas(trx, site)
      const mergedMetadata = await mergeWithinSchemas(sourceMetadata, metadata, readSchemas)
      if (!isSameMetadata(mergedMetadata, metadata)) {
        const after = { ...mergedMetadata, revision: metadata.revision + 1 }
        await storeMetadata(trx, to, after, metadataChangedEvent(changed, after))
      }
      if (!areSameConsents(mergedConsents, consents)) {
        await storeConsents(trx, site, [[destination, mergedConsents]])
        await storeEvents(trx, [consentsChangedEvent(changed, mergedConsents)])
      }
      return messages
    },
    // The profiles may not be merged yet: an earlier attempt may still wait for it.
    (trx) => outbox.findStored(trx, [profileMessageKey('profile.mergeUsers', { site, command })]),
  )
  const late = await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  if (!nomerge && late.length > 0) throw new Fault('operation_failed')
  return {}
}

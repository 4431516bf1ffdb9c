import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { mergeConsents } from '../domain/consents.ts'
import { mergeUserFields, sharesProvider } from '../domain/merge-rules.ts'
import { mergeWithinSchemas } from '../metadata-validation.ts'
import { findConsents } from '../store/consents.ts'
import { listLinks } from '../store/links.ts'
import { findMetadata } from '../store/user-metadata.ts'
import { findUserRow, toUser } from '../store/users.ts'

export const previewMerge: IdentityHandlers['previewMerge'] = async ({ site, ...pair }, { knex, readSiteSchemas }) => {
  const [from, to] = [
    { site, identifier: pair.source },
    { site, identifier: pair.destination },
  ]
  const [source, destination, links, destinationLinks, sourceMetadata, metadata, sourceConsents, consents] =
    await Promise.all([
      findUserRow(knex, from),
      findUserRow(knex, to),
      listLinks(knex, from),
      listLinks(knex, to),
      findMetadata(knex, from),
      findMetadata(knex, to),
      findConsents(knex, from),
      findConsents(knex, to),
    ])
  if (source === undefined || destination === undefined) throw new Fault('entity_not_found')
  const users = { source: toUser(source), destination: toUser(destination) }
  const same = pair.source === pair.destination
  if (same || sharesProvider(links, destinationLinks)) {
    const conflict = same ? 'same_user' : 'shared_provider'
    const unchanged = { user: users.destination, links: destinationLinks, metadata, consents }
    return { conflict, ...users, merged: unchanged, moved: [] }
  }
  const merged = {
    user: toUser(mergeUserFields(source, destination)),
    links: await listLinks(knex, to, from),
    metadata: await mergeWithinSchemas(sourceMetadata, metadata, () => readSiteSchemas(knex, site)),
    consents: mergeConsents(sourceConsents, consents),
  }
  return { conflict: null, ...users, merged, moved: links }
}

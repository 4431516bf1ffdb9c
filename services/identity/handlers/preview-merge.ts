import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { mergeUserFields, sharesProvider } from '../domain/merge-rules.ts'
import { listLinks } from '../store/links.ts'
import { findUserRow, toUser } from '../store/users.ts'

export const previewMerge: IdentityHandlers['previewMerge'] = async ({ site, ...pair }, { knex }) => {
  const [from, to] = [
    { site, identifier: pair.source },
    { site, identifier: pair.destination },
  ]
  const [source, destination, links, destinationLinks] = await Promise.all([
    findUserRow(knex, from),
    findUserRow(knex, to),
    listLinks(knex, from),
    listLinks(knex, to),
  ])
  if (source === undefined || destination === undefined) throw new Fault('entity_not_found')
  const users = { source: toUser(source), destination: toUser(destination) }
  const same = pair.source === pair.destination
  if (same || sharesProvider(links, destinationLinks)) {
    const conflict = same ? 'same_user' : 'shared_provider'
    return { conflict, ...users, merged: { user: users.destination, links: destinationLinks }, moved: [] }
  }
  const merged = { user: toUser(mergeUserFields(source, destination)), links: await listLinks(knex, to, from) }
  return { conflict: null, ...users, merged, moved: links }
}

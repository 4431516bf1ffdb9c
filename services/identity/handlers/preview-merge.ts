import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { mergedUser, sharesProvider } from '../domain/merging.ts'
import { listLinks } from '../store/links.ts'
import { findUserRow, toUser } from '../store/users.ts'

export const previewMerge: IdentityHandlers['previewMerge'] = async ({ site, ...pair }, { knex }) => {
  const [from, to] = [
    { site, identifier: pair.source },
    { site, identifier: pair.destination },
  ]
  const [source, destination, links, linksThere] = await Promise.all([
    findUserRow(knex, from),
    findUserRow(knex, to),
    listLinks(knex, from),
    listLinks(knex, to),
  ])
  if (source === undefined || destination === undefined) throw new Fault('entity_not_found')
  const told = { source: toUser(source), destination: toUser(destination) }
  const same = pair.source === pair.destination
  if (same || sharesProvider(links, linksThere)) {
    const refusal = same ? 'same_user' : 'shared_provider'
    return { refusal, ...told, merged: { user: told.destination, links: linksThere }, moved: [] }
  }
  const merged = { user: toUser(mergedUser(source, destination)), links: await listLinks(knex, to, from) }
  return { refusal: null, ...told, merged, moved: links }
}

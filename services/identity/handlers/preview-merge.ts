import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { mergedUser, sharesProvider } from '../domain/merging.ts'

export const previewMerge: IdentityHandlers['previewMerge'] = async ({ site, ...pair }, { findUser }) => {
  const [source, destination] = await Promise.all([
    findUser({ site, by: 'identifier', id: pair.source }),
    findUser({ site, by: 'identifier', id: pair.destination }),
  ])
  if (source === undefined || destination === undefined) throw new Fault('entity_not_found')
  const told = { source: source.user, destination: destination.user }
  const same = pair.source === pair.destination
  if (same || sharesProvider(source.links, destination.links)) {
    const refusal = same ? 'same_user' : 'shared_provider'
    return { refusal, ...told, merged: destination, moved: [] }
  }
  const links = [...destination.links, ...source.links].toSorted((one, other) =>
    one.created_at === other.created_at
      ? one.provider.localeCompare(other.provider)
      : one.created_at.localeCompare(other.created_at),
  )
  return {
    refusal: null,
    ...told,
    merged: { user: mergedUser(source.user, destination.user), links },
    moved: source.links.map(({ provider }) => provider),
  }
}

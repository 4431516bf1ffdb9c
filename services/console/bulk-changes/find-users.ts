import { newCall } from '#bus'
import { limits } from '#contracts'
import type { ServiceClients } from '../bus.ts'
import { createUserTest, toListFilter, type UserConditions } from '../domain/user-conditions.ts'
import type { BulkPosition } from '../store/bulk-changes.ts'

/** Users of a page that match a filter, with the place of the next page; null: none follows. */
export interface MatchingPage {
  readonly identifiers: readonly string[]
  readonly next: BulkPosition | null
}

/** Reads a page of the list of users, newest first, and returns those that match. */
export async function readMatchingPage(
  {
    site,
    filter,
    position,
  }: { readonly site: number; readonly filter: UserConditions; readonly position: BulkPosition | null },
  { identity }: Pick<ServiceClients, 'identity'>,
): Promise<MatchingPage> {
  const list = {
    site,
    limit: limits.bulk_step_users,
    order: 'newest_first' as const,
    ...toListFilter(filter),
    ...position,
  }
  const { identifiers, more, last_registration } = await identity.listUsers(list, newCall())
  const isMeant = createUserTest(filter)
  const matching = isMeant === undefined ? identifiers : await listMatching()
  const after = identifiers.at(-1)
  return {
    identifiers: matching,
    next: more && after !== undefined ? { after, after_registration: last_registration } : null,
  }

  async function listMatching() {
    if (isMeant === undefined || identifiers.length === 0) return []
    const { users } = await identity.readLinkedUsers({ site, identifiers }, newCall())
    return users.filter(isMeant).map(({ user }) => user.identifier)
  }
}

/** Counts the users that match, up to a limit. `complete`: whether no further ones match. */
export async function countMatching(
  { site, filter }: { readonly site: number; readonly filter: UserConditions },
  services: Pick<ServiceClients, 'identity'>,
): Promise<{ users: number; complete: boolean }> {
  if (createUserTest(filter) === undefined) {
    const { total } = await services.identity.listUsers({ site, limit: 1, ...toListFilter(filter) }, newCall())
    return { users: total, complete: true }
  }
  let [users, read] = [0, 0]
  let position: BulkPosition | null = null
  do {
    const { identifiers, next }: MatchingPage = await readMatchingPage({ site, filter, position }, services)
    users += identifiers.length
    read += limits.bulk_step_users
    position = next
  } while (position !== null && read < limits.bulk_previewed_users)
  return { users, complete: position === null }
}

import { newCall } from '#bus'
import { limits, type UserConditions, type UserPosition } from '#contracts'
import type { ServiceClients } from '../bus.ts'
import { type BulkPosition, toUserPosition } from '../domain/user-position.ts'

/** Users of a page that match a filter, with the place of the next page; null: none follows. */
export interface MatchingPage {
  readonly identifiers: readonly string[]
  readonly next: UserPosition | null
}

/** How many full pages a page costs for which identity read many users who do not match. */
const sparsePage = 20

/** Reads a page of the users who match, newest first. */
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
    conditions: filter,
    sort: 'created' as const,
    order: 'desc' as const,
    after: position === null ? undefined : toUserPosition(position),
  }
  return identity.listMatchingUsers(list, newCall())
}

/** Counts the users that match, up to a limit. `complete`: whether no further ones match. */
export async function countMatching(
  { site, filter }: { readonly site: number; readonly filter: UserConditions },
  services: Pick<ServiceClients, 'identity'>,
): Promise<{ users: number; complete: boolean }> {
  const first = { site, limit: 1, conditions: filter, sort: 'created' as const, order: 'desc' as const }
  const { total } = await services.identity.listMatchingUsers(first, newCall())
  if (total !== null) return { users: total, complete: true }
  let [users, pages] = [0, 0]
  let position: UserPosition | null = null
  do {
    const page: MatchingPage = await readMatchingPage({ site, filter, position }, services)
    users += page.identifiers.length
    pages += page.identifiers.length < limits.bulk_step_users ? sparsePage : 1
    position = page.next
  } while (position !== null && pages * limits.bulk_step_users < limits.bulk_previewed_users)
  return { users, complete: position === null }
}

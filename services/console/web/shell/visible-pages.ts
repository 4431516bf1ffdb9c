import { useHasRole, useIsOperator } from '../admin/permissions.ts'
import { useCurrentLocation } from './current-location.ts'
import type { Level, PageEntry } from './page-list.ts'

/** The pages of the level that is open which the member may use. */
export function useVisiblePages(): Level {
  const { level } = useCurrentLocation()
  const hasPageRole = useHasPageRole()
  const groups = level.groups
    .map(({ title, pages }) => ({ title, pages: pages.filter(({ role }) => hasPageRole(role)) }))
    .filter(({ pages }) => pages.length > 0)
  return { groups, path: level.path }
}

/** Returns a check whether the member may use something of the level that is open. */
export function useHasPageRole(): (role: PageEntry['role']) => boolean {
  const { account, site } = useCurrentLocation()
  const isOperator = useIsOperator()
  const hasRole = useHasRole({ account: account?.account ?? '', site_id: site?.site_id })
  return (role) => role === undefined || (role === 'operator' ? isOperator : hasRole(role))
}

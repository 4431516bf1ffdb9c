import { roles } from 'virtual:contract'
import { useRead } from './queries.ts'
import type { Role } from './types.ts'

/** Returns a check whether the signed-in member has a role in an account. The service enforces it; pages only hide what it would reject. */
export function useHasRole(account: string): (role: Role) => boolean {
  const me = useRead('readMe', {}).data?.member
  const mine = me?.roles.find((entry) => entry.account === account)?.role
  const rank = (role: Role) => roles.indexOf(role)
  return (role) => me?.operator === true || (mine !== undefined && rank(mine) >= rank(role))
}

export function useIsOperator(): boolean {
  return useRead('readMe', {}).data?.member.operator === true
}

import { type Role, roles, type SiteRoles } from '#admin-api'

/** Roles of an actor: in accounts, which are for all their sites, and in single sites by account and site_id. */
export interface HeldRoles {
  readonly operator: boolean
  readonly roles: ReadonlyMap<string, Role>
  readonly site_roles: ReadonlyMap<string, SiteRoles>
}

export function isRoleAtLeast(has: Role, needs: Role): boolean {
  return roles.indexOf(has) >= roles.indexOf(needs)
}

/** The higher of the roles in an account and, if it is named, in its site; undefined if there is none. */
export function findRole(
  held: HeldRoles,
  { account, site_id }: { readonly account: string; readonly site_id?: string | undefined },
): Role | undefined {
  const inAccount = held.roles.get(account)
  const inSite = site_id === undefined ? undefined : held.site_roles.get(account)?.[site_id]
  if (inAccount === undefined || inSite === undefined) return inAccount ?? inSite
  return isRoleAtLeast(inAccount, inSite) ? inAccount : inSite
}

/** Whether there is a role in the account or in one of its sites. */
export function hasRoleInAccount(held: HeldRoles, account: string): boolean {
  return held.roles.has(account) || held.site_roles.has(account)
}

/** The sites of an account that the actor may see; undefined: all of them. */
export function listVisibleSites(held: HeldRoles, account: string): readonly string[] | undefined {
  if (held.operator || held.roles.has(account)) return undefined
  return Object.keys(held.site_roles.get(account) ?? {})
}

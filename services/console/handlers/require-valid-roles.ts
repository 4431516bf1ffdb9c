import { createReason } from '#admin-api'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import type { AccountRoles } from '../store/members.ts'
import type { Actor } from './admin-handler.ts'

/** @throws AdminFault `invalid_request` if there is no role, or a role in a site that the account does not have */
export async function requireValidRoles(
  account: string,
  { role, site_roles }: AccountRoles,
  deps: Pick<Deps, 'identity'>,
  { call }: Pick<Actor, 'call'>,
): Promise<void> {
  const siteIds = Object.keys(site_roles)
  if (role === null && siteIds.length === 0) {
    throw new AdminFault('invalid_request', { field: 'role', reason: createReason('role_missing') })
  }
  await requireSites(account, siteIds, 'site_roles', deps, call)
}

/** @throws AdminFault `invalid_request` for a site that the account does not have */
export async function requireSites(
  account: string,
  siteIds: readonly string[],
  field: string,
  { identity }: Pick<Deps, 'identity'>,
  call: Actor['call'],
): Promise<void> {
  if (siteIds.length === 0) return
  const { sites } = await identity.listSitesOfAccount({ account }, call)
  const unknown = siteIds.find((siteId) => !sites.some(({ site_id }) => site_id === siteId))
  if (unknown !== undefined) {
    throw new AdminFault('invalid_request', { field, reason: createReason('site_not_found', { site_id: unknown }) })
  }
}

import { type AdminProcedure, createReason, type Role } from '#admin-api'
import { AdminFault } from '../admin-fault.ts'
import { findRole, hasRoleInAccount, isRoleAtLeast } from '../domain/roles.ts'
import type { AuthenticatedActor } from './authenticate.ts'

/** The account and site of a path. */
export interface AccessTarget {
  readonly account?: string | undefined
  readonly site_id?: string | undefined
}

/**
 * Checks that the actor's role in the account and site of the path allows the procedure. Members get 404 for accounts and sites that
 * they have no role in. Sensitive procedures require a confirmation with a passkey in the last minutes.
 */
export function requireAccess(
  procedure: Pick<AdminProcedure, 'role' | 'sensitive' | 'limitedToSites'>,
  target: AccessTarget,
  actor: AuthenticatedActor,
): void {
  const { role, sensitive } = procedure
  if (role === 'operator') {
    if (!actor.operator) throw new AdminFault('not_allowed', { reason: createReason('operators_only') })
  } else if (role !== 'member' && !actor.operator) requireRole({ ...procedure, role }, target, actor)
  if (sensitive === true && !actor.confirmed) throw new AdminFault('passkey_required')
}

function requireRole(
  { role, limitedToSites }: Pick<AdminProcedure, 'limitedToSites'> & { readonly role: Role },
  { account, site_id }: AccessTarget,
  actor: AuthenticatedActor,
): void {
  if (account === undefined || !hasRoleInAccount(actor, account)) throw new AdminFault('not_found')
  if (actor.provider_accounts.has(account)) {
    throw new AdminFault('not_allowed', { reason: createReason('account_provider_required', { account }) })
  }
  const has = findRole(actor, { account, site_id })
  if (has === undefined) {
    if (site_id !== undefined) throw new AdminFault('not_found')
    if (limitedToSites === true) return
    throw new AdminFault('not_allowed', { reason: createReason('site_roles_only') })
  }
  if (!isRoleAtLeast(has, role)) {
    throw new AdminFault('not_allowed', { reason: createReason('insufficient_role', { has, needs: role }) })
  }
}

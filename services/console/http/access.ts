import { type AdminProcedure, createReason, roles } from '#admin-api'
import { AdminFault } from '../admin-fault.ts'
import type { AuthenticatedActor } from './authenticate.ts'

/**
 * Checks that the actor's role in the account of the path allows the procedure. Members get 404 for accounts they do not belong to.
 * Sensitive procedures require a confirmation with a passkey in the last minutes.
 */
export function requireAccess(
  { role, sensitive }: Pick<AdminProcedure, 'role' | 'sensitive'>,
  account: string | undefined,
  actor: AuthenticatedActor,
): void {
  if (role === 'operator') {
    if (!actor.operator) throw new AdminFault('not_allowed', { reason: createReason('operators_only') })
  } else if (role !== 'member' && !actor.operator) {
    const has = account === undefined ? undefined : actor.roles.get(account)
    if (has === undefined) throw new AdminFault('not_found')
    if (roles.indexOf(has) < roles.indexOf(role)) {
      throw new AdminFault('not_allowed', { reason: createReason('insufficient_role', { has, needs: role }) })
    }
  }
  if (sensitive === true && !actor.confirmed) throw new AdminFault('passkey_required')
}

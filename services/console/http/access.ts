import { type AdminProcedure, because, roles } from '#admin-api'
import { AdminFault } from '../handlers/admin-fault.ts'
import type { Caller } from './authenticate.ts'

/**
 * Refuses a caller whose role in the account of the path does not allow the procedure. Of an account where the caller is
 * nobody there is nothing here; a sensitive procedure needs a passkey in the last minutes.
 */
export function requireAccess(
  { role, sensitive }: Pick<AdminProcedure, 'role' | 'sensitive'>,
  account: string | undefined,
  caller: Caller,
): void {
  if (role === 'operator') {
    if (!caller.operator) throw new AdminFault('not_allowed', { reason: because('operators_alone') })
  } else if (role !== 'member' && !caller.operator) {
    const has = account === undefined ? undefined : caller.roles.get(account)
    if (has === undefined) throw new AdminFault('not_found')
    if (roles.indexOf(has) < roles.indexOf(role)) {
      throw new AdminFault('not_allowed', { reason: because('role_too_small', { has, needs: role }) })
    }
  }
  if (sensitive === true && !caller.confirmed) throw new AdminFault('passkey_needed')
}

import type { z } from 'zod'
import { type Account, because } from '#admin-api'
import type { Call } from '#bus'
import type { Deps } from '../deps.ts'
import { AdminFault } from './admin-fault.ts'
import type { Actor } from './procedure.ts'

/** @throws AdminFault `not_found` */
export async function accountOf(
  account: string,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<z.output<typeof Account>> {
  const { accounts } = await identity.listAccounts({}, call)
  const found = accounts.find((candidate) => candidate.account === account)
  if (found === undefined)
    throw new AdminFault('not_found', { field: 'account', reason: because('no_account', { account }) })
  return found
}

/** That something is of an account that there is. Whoever has a role in it knows; operators may name any. */
export async function requireAccount(
  account: string,
  deps: Pick<Deps, 'identity'>,
  { roles, call }: Pick<Actor, 'roles' | 'call'>,
): Promise<void> {
  if (!roles.has(account)) await accountOf(account, deps, call)
}

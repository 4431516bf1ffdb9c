import type { z } from 'zod'
import { type Account, createReason } from '#admin-api'
import type { Call } from '#bus'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from './admin-handler.ts'

/** @throws AdminFault `not_found` */
export async function resolveAccount(
  account: string,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<z.output<typeof Account>> {
  const { accounts } = await identity.listAccounts({}, call)
  const match = accounts.find((candidate) => candidate.account === account)
  if (match === undefined)
    throw new AdminFault('not_found', { field: 'account', reason: createReason('account_not_found', { account }) })
  return match
}

/** Checks that the account exists. Actors with a role in it need no look-up; operators can name any account. */
export async function requireAccount(
  account: string,
  deps: Pick<Deps, 'identity'>,
  { roles, call }: Pick<Actor, 'roles' | 'call'>,
): Promise<void> {
  if (!roles.has(account)) await resolveAccount(account, deps, call)
}

import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { lead } from '../followers.ts'
import { forgetEverywhere } from '../orders.ts'
import { removeUser } from '../store/users.ts'

export const deleteUser: IdentityHandlers['deleteUser'] = async (user, deps, call) => {
  await lead(deps, call, async (trx) => {
    if (!(await removeUser(trx, user))) throw new Fault('entity_not_found')
    return forgetEverywhere(user)
  })
  return {}
}

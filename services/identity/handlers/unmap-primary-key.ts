import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { updatePrimaryKey } from '../store/users.ts'

export const unmapPrimaryKey: IdentityHandlers['unmapPrimaryKey'] = async (user, { knex }) => {
  if (!(await updatePrimaryKey(knex, user, null, new Date()))) throw new Fault('entity_not_found')
  return {}
}

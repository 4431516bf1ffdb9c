import type { IdentityHandlers } from '../deps.ts'
import { requireSameUser } from '../domain/same-user.ts'

export const resolveUser: IdentityHandlers['resolveUser'] = async ({ site, identifier, primary_key }, { findUser }) => {
  const found = await Promise.all([
    ...(identifier === undefined ? [] : [findUser({ site, by: 'identifier', id: identifier })]),
    ...(primary_key === undefined ? [] : [findUser({ site, by: 'primary_key', id: primary_key })]),
  ])
  return requireSameUser(found)
}

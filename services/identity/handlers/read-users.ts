import type { IdentityHandlers } from '../deps.ts'

export const readUsers: IdentityHandlers['readUsers'] = async ({ site, identifiers }, { findUser }) => {
  const found = await Promise.all(identifiers.map((id) => findUser({ site, by: 'identifier', id })))
  return { users: found.flatMap((one) => (one === undefined ? [] : [one.user])) }
}

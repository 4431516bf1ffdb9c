import type { IdentityHandlers } from '../deps.ts'
import { listUsersByIdentifier } from '../store/users.ts'

export const readUsers: IdentityHandlers['readUsers'] = async ({ site, identifiers }, { reader }) => {
  const users = await listUsersByIdentifier(reader, site, identifiers)
  const byIdentifier = new Map(users.map((user) => [user.identifier, user]))
  const inOrder = identifiers.map((identifier) => byIdentifier.get(identifier))
  return { users: inOrder.filter((user) => user !== undefined) }
}

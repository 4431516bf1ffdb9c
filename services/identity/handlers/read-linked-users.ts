import type { IdentityHandlers } from '../deps.ts'
import { listLinkedUsers } from '../store/user-lookup.ts'

export const readLinkedUsers: IdentityHandlers['readLinkedUsers'] = async ({ site, identifiers }, { reader }) => {
  const users = await listLinkedUsers(reader, site, identifiers)
  const byIdentifier = new Map(users.map((one) => [one.user.identifier, one]))
  const inOrder = identifiers.map((identifier) => byIdentifier.get(identifier))
  return { users: inOrder.filter((one) => one !== undefined) }
}

import type { IdentityHandlers } from '../deps.ts'
import { requireSameUser } from '../domain/same-user.ts'
import { findUser, listLinkedUsers, toLookups } from '../store/user-lookup.ts'
import { listUsersByIdentifier, selectUsersWithId } from '../store/users.ts'

export const resolveUser: IdentityHandlers['resolveUser'] = async ({ site, ...ids }, { reader }) =>
  requireSameUser(await Promise.all(toLookups(site, ids).map((lookup) => findUser(reader, lookup))))

export const readUsers: IdentityHandlers['readUsers'] = async ({ site, identifiers }, { reader }) => {
  const users = await listUsersByIdentifier(reader, site, identifiers)
  const byIdentifier = new Map(users.map((user) => [user.identifier, user]))
  const inOrder = identifiers.map((identifier) => byIdentifier.get(identifier))
  return { users: inOrder.filter((user) => user !== undefined) }
}

export const readLinkedUsers: IdentityHandlers['readLinkedUsers'] = async ({ site, identifiers }, { reader }) => {
  const users = await listLinkedUsers(reader, site, identifiers)
  const byIdentifier = new Map(users.map((one) => [one.user.identifier, one]))
  const inOrder = identifiers.map((identifier) => byIdentifier.get(identifier))
  return { users: inOrder.filter((one) => one !== undefined) }
}

export const findUsers: IdentityHandlers['findUsers'] = async ({ site, id }, { knex }) => ({
  users: await selectUsersWithId(knex, site, id),
})

import type { IdentityHandlers } from '../deps.ts'
import { countUsers, listIdentifiers } from '../store/user-pages.ts'

export const listUsers: IdentityHandlers['listUsers'] = async ({ limit, page = 0, after, ...filter }, { knex }) => {
  const [identifiers, total] = await Promise.all([
    // One more than asked for tells whether there is a next page.
    listIdentifiers(knex, filter, { after, skip: after === undefined ? page * limit : 0, limit: limit + 1 }),
    countUsers(knex, filter),
  ])
  return { identifiers: identifiers.slice(0, limit), total, more: identifiers.length > limit }
}

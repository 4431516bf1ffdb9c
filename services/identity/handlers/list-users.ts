import type { Knex } from 'knex'
import type { IdentityHandlers } from '../deps.ts'
import { toListPosition } from '../domain/list-position.ts'
import { readIndexedPage } from '../store/indexed-pages.ts'
import { listBlockedUsers, listNewestPage, listPageAfter, listPageFrom } from '../store/user-pages.ts'
import { countUsers } from '../store/user-totals.ts'

/** Total and page are from the same snapshot. */
const snapshot = { isolationLevel: 'repeatable read', readOnly: true } as const

export const listUsers: IdentityHandlers['listUsers'] = async (
  { limit, page = 0, after: afterIdentifier, after_registration, order = 'oldest_first', blocked, ...filter },
  { knex, reader },
) => {
  const after = afterIdentifier === undefined ? undefined : toListPosition(afterIdentifier, after_registration)
  const skip = page * limit
  // One more than requested, to know whether there is a next page.
  const atMost = limit + 1
  const isIndexed =
    !blocked && filter.created_since === undefined && filter.logged_in_since === undefined && order === 'oldest_first'
  const direction = order === 'newest_first' ? 'desc' : 'asc'
  const readPage = async (trx: Knex.Transaction) => {
    if (blocked) return listBlockedUsers(trx, filter, { after, skip, limit: atMost, order: direction })
    const total = await countUsers(trx, filter)
    const range = { skip, limit: atMost, total }
    const readUsers = () => {
      if (after !== undefined) return listPageAfter(trx, filter, after, atMost, direction)
      return order === 'newest_first' ? listNewestPage(trx, filter, range) : listPageFrom(trx, filter, range)
    }
    return { total, users: await readUsers() }
  }
  const indexed = isIndexed ? await readIndexedPage(reader, filter, { after, skip, limit: atMost }) : undefined
  const { total, users } = indexed ?? (await knex.transaction(readPage, snapshot))
  const listed = users.slice(0, limit)
  return {
    identifiers: listed.map(({ identifier }) => identifier),
    total,
    more: users.length > limit,
    last_registration: listed.at(-1)?.registration,
  }
}

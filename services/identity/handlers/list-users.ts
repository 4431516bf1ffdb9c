import type { IdentityHandlers } from '../deps.ts'
import { listAfter, listFrom, listNewest } from '../store/user-pages.ts'
import { countUsers } from '../store/user-totals.ts'

/** Total and page are of one moment. */
const snapshot = { isolationLevel: 'repeatable read', readOnly: true } as const

export const listUsers: IdentityHandlers['listUsers'] = (
  { limit, page = 0, after, order = 'oldest_first', ...filter },
  { knex },
) =>
  knex.transaction(async (trx) => {
    const total = await countUsers(trx, filter)
    // One more than asked for tells whether there is a next page.
    const place = { skip: page * limit, limit: limit + 1, total }
    const read = () => {
      if (after !== undefined)
        return listAfter(trx, filter, after, place.limit, order === 'newest_first' ? 'desc' : 'asc')
      if (order === 'newest_first') return listNewest(trx, filter, place)
      return listFrom(trx, filter, place.skip, place.limit)
    }
    const identifiers = await read()
    return { identifiers: identifiers.slice(0, limit), total, more: identifiers.length > limit }
  }, snapshot)

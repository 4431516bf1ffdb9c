import type { IdentityHandlers } from '../deps.ts'
import { listNewestPage, listPageAfter, listPageFrom } from '../store/user-pages.ts'
import { countUsers } from '../store/user-totals.ts'

/** Total and page are from the same snapshot. */
const snapshot = { isolationLevel: 'repeatable read', readOnly: true } as const

export const listUsers: IdentityHandlers['listUsers'] = (
  { limit, page = 0, after, order = 'oldest_first', ...filter },
  { knex },
) =>
  knex.transaction(async (trx) => {
    const total = await countUsers(trx, filter)
    // One more than requested, to know whether there is a next page.
    const range = { skip: page * limit, limit: limit + 1, total }
    const readPage = () => {
      if (after !== undefined)
        return listPageAfter(trx, filter, after, range.limit, order === 'newest_first' ? 'desc' : 'asc')
      if (order === 'newest_first') return listNewestPage(trx, filter, range)
      return listPageFrom(trx, filter, range.skip, range.limit)
    }
    const identifiers = await readPage()
    return { identifiers: identifiers.slice(0, limit), total, more: identifiers.length > limit }
  }, snapshot)

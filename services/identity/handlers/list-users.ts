import type { IdentityHandlers } from '../deps.ts'
import { listAfter, listFrom } from '../store/user-pages.ts'
import { countUsers } from '../store/user-totals.ts'

/** Total and page are of one moment. */
const snapshot = { isolationLevel: 'repeatable read', readOnly: true } as const

export const listUsers: IdentityHandlers['listUsers'] = ({ limit, page = 0, after, ...filter }, { knex }) =>
  knex.transaction(async (trx) => {
    const total = await countUsers(trx, filter)
    // One more than asked for tells whether there is a next page.
    const identifiers =
      after === undefined
        ? await listFrom(trx, filter, page * limit, limit + 1)
        : await listAfter(trx, filter, after, limit + 1)
    return { identifiers: identifiers.slice(0, limit), total, more: identifiers.length > limit }
  }, snapshot)

import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { UserConditions, UserPosition, UserSort } from '../objects/user-filter.ts'
import { Count, Identifier, Site } from '../scalars.ts'

/** Lists of users for administrators; those of the Web API are of `listUsers`. */
export const userListProcedures = {
  /**
   * A page of the users who meet all conditions. A page can have fewer users than its limit, or none, although more follow: a
   * request reads a bounded number of users.
   */
  listMatchingUsers: {
    input: z.object({
      site: Site,
      limit: z.int().min(1).max(100),
      conditions: UserConditions,
      sort: UserSort,
      order: z.enum(['asc', 'desc']),
      /** `next` of the previous page, in the same order. */
      after: UserPosition.optional(),
      /** Instead of `after`: page number from 0, only for lists by creation that have a total. */
      page: Count.optional(),
    }),
    output: z.object({
      identifiers: z.array(Identifier),
      /** Those who asked to be deleted or are announced as inactive, in any order. */
      to_be_deleted: z.array(Identifier),
      /** Null: not counted, because each matching user would have to be read. */
      total: Count.nullable(),
      /** Null: no users follow. */
      next: UserPosition.nullable(),
    }),
    /** `invalid_parameter` with the field `after`: it is of a list in another order; `page`: the list has no page numbers. */
    faults: ['invalid_parameter'],
    repeatable: true,
    mayBeStale: true,
  },
} as const satisfies Record<string, Procedure>

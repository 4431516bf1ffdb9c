import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { UserConditions, UserPosition, UserSort } from '../objects/user-filter.ts'
import { Count, Identifier, Site } from '../scalars.ts'

/** Lists of users: `listUsers` for the Web API, `listMatchingUsers` for administrators. */
export const userListProcedures = {
  listUsers: {
    input: z.object({
      site: Site,
      limit: z.int().min(1).max(100),
      /** Page number from 0; cannot be combined with `after`. */
      page: Count.optional(),
      /** By creation time. Default: `oldest_first`. */
      order: z.enum(['oldest_first', 'newest_first']).optional(),
      /** The last identifier of the previous page, in the same order, with the `last_registration` of that page. */
      after: Identifier.optional(),
      after_registration: Count.optional(),
      /** Unix times in seconds. */
      created_since: z.int().optional(),
      logged_in_since: z.int().optional(),
      mapped: z.enum(['mapped_only', 'not_mapped_only']).optional(),
      /** Only blocked users. */
      blocked: z.literal(true).optional(),
    }),
    output: z.object({
      identifiers: z.array(Identifier),
      total: Count,
      more: z.boolean(),
      /** The registration of the last user, Unix time in seconds: with the identifier, the place of the user in the list. */
      last_registration: Count.optional(),
    }),
    faults: [],
    repeatable: true,
    mayBeStale: true,
  },
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

import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { UserDeletion } from '../objects/user.ts'
import { Identifier, Site, Timestamp } from '../scalars.ts'
import { byEndUser, command, named } from './users.ts'

/** Users who ask to be deleted, after a waiting period, or are inactive. */
export const userDeletionProcedures = {
  /** Null: the user is not to be deleted, or does not exist. */
  readUserDeletion: {
    input: z.object({ site: Site, identifier: Identifier }),
    output: z.object({ deletion: UserDeletion.nullable() }),
    faults: [],
    repeatable: true,
  },
  /** Deletes the user, at the request of the end user, after some days, unless it is canceled. An earlier request stays as it is; an announced deletion by inactivity is replaced. */
  requestUserDeletion: {
    input: z.object({ ...named, waiting_days: z.int().min(0).max(90), command }),
    /** Null: a repeat, and the request was canceled since. */
    output: z.object({ delete_at: Timestamp.nullable() }),
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
  /** Nothing changes for a user who is not to be deleted. A user who was inactive counts as active now. */
  cancelUserDeletion: {
    input: z.object({ ...named, by_end_user: byEndUser, command }),
    output: z.object({}),
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>

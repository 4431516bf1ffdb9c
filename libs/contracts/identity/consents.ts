import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { Consent, ConsentAnswers } from '../objects/consent.ts'
import { Identifier, Site } from '../scalars.ts'
import { byEndUser, command, named } from './users.ts'

/** The answers of users to the documents of their site. Identity does not know the documents. */
export const consentProcedures = {
  /** The latest answers of a user, by the names of the documents; empty without any. */
  readConsents: {
    input: z.object(named),
    output: z.object({ identifier: Identifier, consents: z.array(Consent) }),
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
  /** As `readConsents`, of users by identifier; users without answers are absent. */
  readConsentsOfUsers: {
    input: z.object({ site: Site, identifiers: z.array(Identifier).max(100) }),
    output: z.object({ consents: z.record(Identifier, z.array(Consent)) }),
    faults: [],
    repeatable: true,
    mayBeStale: true,
  },
  /**
   * Stores answers of a user with the time, each instead of the earlier one to the same document. An answer that is as the
   * stored one changes nothing, not even its time. Of answers to more than `consents_per_user` documents, the latest stay.
   */
  recordConsents: {
    input: z.object({ ...named, answers: ConsentAnswers, by_end_user: byEndUser, command }),
    /** All answers of the user. A repeat returns them as they are now. */
    output: z.object({ identifier: Identifier, consents: z.array(Consent) }),
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>

import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { Identifier, Sha256, Site } from '../scalars.ts'

/** Requests that a customer may repeat (`Idempotency-Key`), and their answers. */
export const storedResponseProcedures = {
  /**
   * Claims a request that a customer may repeat, or returns its stored answer. The claim lasts `claim_seconds`: until then
   * other claims of it get `unavailable`; later ones continue the same command.
   */
  claimRequest: {
    input: z.object({ site: Site, idempotency_key: Sha256, request: Sha256 }),
    output: z.union([z.object({ command: z.uuid() }), z.object({ response: z.string() })]),
    /** `invalid_parameter`: the key belongs to another request. `entity_not_found`: the user it created is deleted. */
    faults: ['invalid_parameter', 'entity_not_found'],
  },
  /** Keeps the answer of a claimed request for `stored_response_seconds`; it may be repeated. */
  storeResponse: {
    input: z.object({
      site: Site,
      command: z.uuid(),
      /** Encrypted by who keeps it. Absent: there is none, and the request may be tried again at once. */
      response: z.string().optional(),
      /** The user whose data the answer shows: it goes when the user goes. */
      identifier: Identifier.optional(),
    }),
    output: z.object({}),
    /** `entity_not_found`: the user is gone already. */
    faults: ['entity_not_found'],
  },
} as const satisfies Record<string, Procedure>

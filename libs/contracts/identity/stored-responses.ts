import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { Identifier, Sha256, Site } from '../scalars.ts'

/** Idempotent requests (`Idempotency-Key`) and their stored responses. */
export const storedResponseProcedures = {
  /**
   * Claims an idempotent request for a new command, or returns its stored response. Until the claim ends, two seconds after the
   * deadline of its call, claims for other commands get `unavailable`; later ones continue with the first command, `repeated`.
   */
  claimRequest: {
    input: z.object({ site: Site, idempotency_key: Sha256, request: Sha256, command: z.uuid() }),
    output: z.union([z.object({ command: z.uuid(), repeated: z.boolean() }), z.object({ response: z.string() })]),
    /** `invalid_parameter`: the key belongs to another request. */
    faults: ['invalid_parameter'],
    repeatable: true,
  },
  /** Stores the response of a claimed request for `stored_response_seconds`. Idempotent. */
  storeResponse: {
    input: z.object({
      site: Site,
      command: z.uuid(),
      /** Encrypted by the caller. Absent: no response, and the request may be repeated immediately. */
      response: z.string().optional(),
      /** The user whose data the response contains. The response is deleted with the user. */
      identifier: Identifier.optional(),
    }),
    output: z.object({}),
    /** `entity_not_found`: the user was deleted meanwhile. */
    faults: ['entity_not_found'],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>

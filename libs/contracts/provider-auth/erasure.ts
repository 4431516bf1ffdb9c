import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { PublicKey, UserErasure } from '../objects/erasure.ts'

/** Receipts of deletions, signed with a key of the OpenID Provider. */
export const erasureReceiptProcedures = {
  /** Signs the receipt of a complete deletion: a JWS in compact form (RFC 7515), and the public key that verifies it. */
  signErasureReceipt: {
    input: z.object({ receipt_id: z.uuid(), erasure: UserErasure }),
    output: z.object({ receipt: z.string(), key: PublicKey }),
    faults: [],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>

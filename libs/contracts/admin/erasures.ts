import { z } from 'zod'
import { limits } from '../limits.ts'
import { ErasureState, ErasureSummary } from '../objects/erasure.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'
import { AdminUserReference } from './users.ts'

export const adminErasureProcedures = adminProcedures({
  listErasures: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/erasures',
    summary: 'Deleted users, the latest deletion first, and whether the receipt is complete',
    role: 'editor',
    help: { after: 'next of the previous page' },
    input: SiteReference.extend({
      limit: z.coerce.number<string | number>().int().min(1).max(limits.erasures_maximum).default(50),
      /** `next` of the page before. */
      after: z
        .string()
        .regex(/^\d{1,15}\.[\x21-\x7e]{1,40}$/, 'must be next of the previous page')
        .optional(),
    }),
    output: z.object({ erasures: z.array(ErasureSummary), next: z.string().nullable() }),
  },
  readErasureReceipt: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/erasure-receipt',
    summary:
      'The latest deletion of a user: which services have not confirmed it yet, and when all have, the signed receipt',
    role: 'editor',
    input: AdminUserReference,
    output: ErasureState,
    faults: { not_found: 'The user was not deleted, or the receipt is older than it is kept.' },
  },
})

import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { SiteTerms, TermsDocuments } from '../objects/site-terms.ts'
import { Count, Site } from '../scalars.ts'

/** The documents that end users of a site answer to at a login. */
export const termsProcedures = {
  /** The terms of a site; no documents and revision 0 if none were ever saved. */
  readTerms: { input: z.object({ site: Site }), output: SiteTerms, faults: [], repeatable: true },
  /** Replaces all documents. */
  changeTerms: {
    input: z.object({ site: Site, documents: TermsDocuments, expected_revision: Count }),
    output: SiteTerms,
    faults: ['changed_meanwhile'],
  },
} as const satisfies Record<string, Procedure>

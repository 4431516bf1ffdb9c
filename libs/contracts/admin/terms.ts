import { SiteTerms } from '../objects/site-terms.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export { SiteTerms, TermsDocument, TermsDocuments } from '../objects/site-terms.ts'

export const adminTermsProcedures = adminProcedures({
  readTerms: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/terms',
    summary: 'The documents that end users of a site accept at a login, in the order in which they see them',
    role: 'viewer',
    versioned: true,
    servedBy: 'provider_auth',
    input: SiteReference,
    output: SiteTerms,
  },
  changeTerms: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/terms',
    summary: 'Replace all documents that end users of a site accept at a login. Without documents, they are not asked',
    role: 'editor',
    versioned: true,
    servedBy: 'provider_auth',
    reader: 'readTerms',
    audited: ['documents'],
    form: 'terms',
    input: SiteReference.extend({ documents: SiteTerms.shape.documents }),
    output: SiteTerms,
  },
})

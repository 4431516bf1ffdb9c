import { Fault } from '#contracts'
import type { ProviderAuthHandlers } from '../deps.ts'
import { findTerms, storeTerms } from '../store/site-terms.ts'

type TermsHandlers = Pick<ProviderAuthHandlers, 'readTerms' | 'changeTerms'>

export const termsHandlers: TermsHandlers = {
  async readTerms({ site }, { knex }) {
    return (await findTerms(knex, site)) ?? { documents: [], revision: 0 }
  },

  async changeTerms({ site, documents, expected_revision }, { knex }) {
    if (!(await storeTerms(knex, { site, documents, expected_revision }))) throw new Fault('changed_meanwhile')
    return { documents, revision: expected_revision + 1 }
  },
}

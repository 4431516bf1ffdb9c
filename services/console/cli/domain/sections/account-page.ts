import { z } from 'zod'
import { listChanges } from '../changes.ts'
import type { FileSection } from './section.ts'

/** Whether end users have an account page. */
export const accountPageSection: FileSection<boolean, 'readAccountPage'> = {
  schema: z.boolean(),
  reader: 'readAccountPage',
  plan({ site, path }, desired, actual) {
    const changes = listChanges({ account_page: desired }, { account_page: actual?.enabled ?? false })
    if (changes.length === 0) return undefined
    return {
      procedure: 'changeAccountPage',
      kind: 'change',
      subject: `account page ${site.account}/${site.site_id}`,
      path,
      input: { ...site, enabled: desired },
      ...(actual && { revision: actual.revision }),
      changes,
    }
  },
  toDesired: ({ enabled }) => enabled || undefined,
}

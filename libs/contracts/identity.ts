import { z } from 'zod'
import { availabilityNotice, defineContract } from './define.ts'
import { accountProcedures } from './identity/accounts.ts'
import { consentProcedures } from './identity/consents.ts'
import { erasureProcedures } from './identity/erasures.ts'
import { importProcedures } from './identity/imports.ts'
import { inactivityRuleProcedures } from './identity/inactivity-rules.ts'
import { metadataProcedures } from './identity/metadata.ts'
import { siteServingProcedures } from './identity/site-moves.ts'
import { siteProcedures } from './identity/sites.ts'
import { storedResponseProcedures } from './identity/stored-responses.ts'
import { userDeletionProcedures } from './identity/user-deletions.ts'
import { userListProcedures } from './identity/user-lists.ts'
import { userProcedures } from './identity/users.ts'
import { Count } from './scalars.ts'

export { type ImportedUser, toImportedUser } from './identity/imports.ts'
export { MovedTo, type SiteServing, siteServings } from './identity/site-moves.ts'
export { SiteDetails, SiteRecord } from './identity/sites.ts'

export const identityContract = defineContract(
  'identity',
  {
    ...siteProcedures,
    ...siteServingProcedures,
    ...userProcedures,
    ...userListProcedures,
    ...userDeletionProcedures,
    ...erasureProcedures,
    ...inactivityRuleProcedures,
    ...metadataProcedures,
    ...consentProcedures,
    ...accountProcedures,
    ...importProcedures,
    ...storedResponseProcedures,
  },
  {
    ...availabilityNotice,
    /** Sites or API keys changed: `listSites` returns the changes. Also published every second, in case a notice was lost. */
    sitesChanged: { payload: z.object({ revision: Count }) },
  },
)

import { z } from 'zod'
import { contract } from './define.ts'
import { answerProcedures } from './identity/answers.ts'
import { siteProcedures } from './identity/sites.ts'
import { userProcedures } from './identity/users.ts'
import { Count } from './scalars.ts'

export { SiteDetails, SiteRecord } from './identity/sites.ts'

export const identity = contract(
  'identity',
  { ...siteProcedures, ...userProcedures, ...answerProcedures },
  {
    /** Sites or keys changed: `listSites` has more. Also sent every second, so that a lost notice is noticed. */
    sitesChanged: { payload: z.object({ revision: Count }) },
  },
)

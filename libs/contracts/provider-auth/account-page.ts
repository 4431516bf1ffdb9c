import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { accountPageSettings, SiteAccountPage } from '../objects/account-page.ts'
import { Count, Site, Slug } from '../scalars.ts'

const site = { site: Site, account: Slug, site_id: Slug }

/** The page on which end users of a site manage their accounts. */
export const accountPageProcedures = {
  readAccountPage: { input: z.object(site), output: SiteAccountPage, faults: [], repeatable: true },
  changeAccountPage: {
    input: z.object({ ...site, ...accountPageSettings, expected_revision: Count }),
    output: SiteAccountPage,
    faults: ['changed_meanwhile'],
  },
} as const satisfies Record<string, Procedure>

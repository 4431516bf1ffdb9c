import type { SiteReference } from '#admin-api'
import { listChanges } from './changes.ts'
import type { DesiredSite } from './desired.ts'
import { pathOf } from './site-path.ts'
import type { ActualSite, Plan, PlanStep } from './step.ts'

/** Plans whether end users have an account page. Without the field, it stays unchanged. */
export function planAccountPage(
  site: SiteReference,
  desired: DesiredSite['account_page'],
  actual: ActualSite | undefined,
): Plan {
  const changes = listChanges({ account_page: desired }, { account_page: actual?.accountPage.enabled ?? false })
  if (desired === undefined || changes.length === 0) return { steps: [], notes: [] }
  const step: PlanStep = {
    procedure: 'changeAccountPage',
    kind: 'change',
    subject: `account page ${site.account}/${site.site_id}`,
    path: `${pathOf(site)}.account_page`,
    input: { ...site, enabled: desired },
    ...(actual && { revision: actual.accountPage.revision }),
    changes,
  }
  return { steps: [step], notes: [] }
}

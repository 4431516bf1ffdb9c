import type { SiteReference } from '#admin-api'
import { listChanges } from './changes.ts'
import type { DesiredSite } from './desired.ts'
import { pathOf } from './site-path.ts'
import type { ActualSite, Plan } from './step.ts'

/** Plans by which fields users can be found. Without the section, this stays unchanged. */
export function planUserSearch(
  site: SiteReference,
  desired: DesiredSite['user_search'],
  actual: ActualSite | undefined,
): Plan {
  if (desired === undefined) return { steps: [], notes: [] }
  const before = actual?.userSearch.fields ?? []
  const changes = listChanges(desired, { fields: before })
  if (changes.length === 0) return { steps: [], notes: [] }
  return {
    steps: [
      {
        procedure: 'changeUserSearch',
        kind: before.length === 0 ? 'create' : 'change',
        subject: `user search ${site.account}/${site.site_id}`,
        path: `${pathOf(site)}.user_search`,
        input: { ...site, ...desired },
        ...(actual && { revision: actual.userSearch.revision }),
        changes,
      },
    ],
    notes: [],
  }
}

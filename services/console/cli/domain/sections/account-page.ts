import { z } from 'zod'
import { SiteAccountPage } from '#admin-api'
import { listChanges } from '../changes.ts'
import { describeSectionChange, type FileSection } from './section.ts'

const { deletion_waiting_days } = SiteAccountPage.shape
const Deletion = z.strictObject({ deletion_waiting_days: deletion_waiting_days.unwrap() })

/** Whether end users have an account page: `true`, or how long those wait who ask there to be deleted. */
const DesiredPage = z.union([z.boolean(), Deletion])

export const accountPageSection: FileSection<z.infer<typeof DesiredPage>, 'readAccountPage'> = {
  schema: DesiredPage,
  reader: 'readAccountPage',
  plan(place, desired, actual) {
    const wanted = typeof desired === 'boolean' ? { deletion_waiting_days: null } : desired
    const settings = { enabled: desired !== false, ...wanted }
    const { enabled = false, deletion_waiting_days = null } = actual ?? {}
    const changes = listChanges(
      { account_page: settings.enabled, deletion_waiting_days: settings.deletion_waiting_days },
      { account_page: enabled, deletion_waiting_days },
    )
    const step = describeSectionChange(place, { name: 'account page', isNew: false, actual, changes })
    return step && { procedure: 'changeAccountPage', input: { ...place.site, ...settings }, ...step }
  },
  toDesired({ enabled, deletion_waiting_days }) {
    if (!enabled) return undefined
    return deletion_waiting_days === null ? true : { deletion_waiting_days }
  },
}

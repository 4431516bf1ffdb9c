import { jobsMigration, type Migration } from '#database'
import { initial } from './0001-initial.ts'
import { decidedAt } from './0002-decided-at.ts'
import { pendingEvents } from './0003-pending-events.ts'
import { analyzeLinksOften } from './0004-analyze-often.ts'
import { siteDeletions } from './0005-site-deletions.ts'
import { userSearch } from './0006-user-search.ts'
import { personalKeys } from './0007-personal-keys.ts'
import { siteFreezes } from './0008-site-freezes.ts'

export { profileDistribution } from './distribution.ts'

export const migrations: readonly Migration[] = [
  jobsMigration,
  initial,
  decidedAt,
  pendingEvents,
  analyzeLinksOften,
  siteDeletions,
  userSearch,
  personalKeys,
  siteFreezes,
]

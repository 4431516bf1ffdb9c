import { jobsMigration, type Migration } from '#database'
import { initial } from './0001-initial.ts'
import { claimedBy } from './0002-claimed-by.ts'
import { registrations } from './0003-registrations.ts'
import { compatibility } from './0004-compatibility.ts'
import { pendingEvents } from './0005-pending-events.ts'
import { analyzeUsersOften } from './0006-analyze-often.ts'
import { startUrl } from './0007-start-url.ts'
import { broughtAlongKeys } from './0008-brought-along-keys.ts'
import { siteDeletions } from './0009-site-deletions.ts'
import { userBlocks } from './0010-user-blocks.ts'
import { userMetadata } from './0011-user-metadata.ts'
import { metadataSchemas } from './0012-metadata-schemas.ts'
import { userDeletions } from './0013-user-deletions.ts'
import { countsInStatements } from './0014-counts-in-statements.ts'
import { userConsents } from './0015-consents.ts'
import { inactivityRules } from './0016-inactivity-rules.ts'
import { userListIndexes } from './0017-user-list-indexes.ts'
import { erasuresMigration } from './0018-erasures.ts'
import { usersMayBeStale } from './0019-users-may-be-stale.ts'
import { metadataSearch } from './0020-metadata-search.ts'
import { siteFreezes } from './0022-site-freezes.ts'

export { identityDistribution } from './distribution.ts'

export const migrations: readonly Migration[] = [
  jobsMigration,
  initial,
  claimedBy,
  registrations,
  compatibility,
  pendingEvents,
  analyzeUsersOften,
  startUrl,
  broughtAlongKeys,
  siteDeletions,
  userBlocks,
  userMetadata,
  metadataSchemas,
  userDeletions,
  countsInStatements,
  userConsents,
  inactivityRules,
  userListIndexes,
  erasuresMigration,
  usersMayBeStale,
  metadataSearch,
  siteFreezes,
]

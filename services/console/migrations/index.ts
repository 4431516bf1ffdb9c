import type { Migration } from '#database'
import { initial } from './0001-initial.ts'
import { imports } from './0002-imports.ts'
import { exportFormats } from './0003-export-formats.ts'
import { logins } from './0004-logins.ts'
import { notices } from './0005-notices.ts'
import { auditStreams } from './0006-audit-streams.ts'
import { memberSignIn } from './0007-member-sign-in.ts'
import { siteDeletions } from './0008-site-deletions.ts'
import { tokensOfSites } from './0009-tokens-of-sites.ts'
import { bulkChanges } from './0010-bulk-changes.ts'
import { auditOfUsers } from './0011-audit-of-users.ts'
import { memberUserColumns } from './0012-user-columns.ts'
import { exportColumnChoices } from './0013-export-columns.ts'
import { actionsOfEndUsers } from './0014-actions-of-end-users.ts'
import { siteMoves } from './0015-site-moves.ts'
import { moveEndedBy } from './0016-move-ended-by.ts'
import { frozenRound } from './0017-frozen-round.ts'

export const migrations: readonly Migration[] = [
  initial,
  imports,
  exportFormats,
  logins,
  notices,
  auditStreams,
  memberSignIn,
  siteDeletions,
  tokensOfSites,
  bulkChanges,
  auditOfUsers,
  memberUserColumns,
  exportColumnChoices,
  actionsOfEndUsers,
  siteMoves,
  moveEndedBy,
  frozenRound,
]

import type { Migration } from '#database'
import { initial } from './0001-initial.ts'
import { pendingEvents } from './0002-pending-events.ts'
import { siteDeletions } from './0003-site-deletions.ts'
import { siteFreezes } from './0004-site-freezes.ts'

export { friendshipDistribution } from './distribution.ts'

export const migrations: readonly Migration[] = [initial, pendingEvents, siteDeletions, siteFreezes]

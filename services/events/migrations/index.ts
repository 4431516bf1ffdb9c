import type { Migration } from '#database'
import { initial } from './0001-initial.ts'
import { webhooks } from './0002-webhooks.ts'
import { analyzeEventsOften } from './0003-analyze-often.ts'
import { siteDeletions } from './0004-site-deletions.ts'
import { personalKeysOfEvents } from './0005-personal-keys.ts'
import { siteFreezes } from './0006-site-freezes.ts'

export { eventsDistribution } from './distribution.ts'

export const migrations: readonly Migration[] = [
  initial,
  webhooks,
  analyzeEventsOften,
  siteDeletions,
  personalKeysOfEvents,
  siteFreezes,
]

import { siteDeletionsMigration } from '#database'

export const siteDeletions = siteDeletionsMigration('0004-site-deletions')

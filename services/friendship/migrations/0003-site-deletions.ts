import { siteDeletionsMigration } from '#database'

export const siteDeletions = siteDeletionsMigration('0003-site-deletions')

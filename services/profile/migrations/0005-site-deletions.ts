import { siteDeletionsMigration } from '#database'

export const siteDeletions = siteDeletionsMigration('0005-site-deletions')

import { siteFreezesMigration } from '#database'

export const siteFreezes = siteFreezesMigration('0006-site-freezes')

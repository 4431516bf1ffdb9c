import { siteFreezesMigration } from '#database'

export const siteFreezes = siteFreezesMigration('0004-site-freezes')

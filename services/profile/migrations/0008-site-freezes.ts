import { siteFreezesMigration } from '#database'

export const siteFreezes = siteFreezesMigration('0008-site-freezes')

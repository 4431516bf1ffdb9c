import { siteFreezesMigration } from '#database'

export const siteFreezes = siteFreezesMigration('0020-site-freezes')

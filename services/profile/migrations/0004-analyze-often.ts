import { analyzeOftenMigration } from '#database'

export const analyzeLinksOften = analyzeOftenMigration('0004-analyze-often', ['links'])

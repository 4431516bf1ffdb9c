import { analyzeOftenMigration } from '#database'

export const analyzeOften = analyzeOftenMigration('0004-analyze-often', ['links'])

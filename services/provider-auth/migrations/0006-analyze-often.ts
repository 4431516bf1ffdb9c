import { analyzeOftenMigration } from '#database'

export const analyzeTokensOften = analyzeOftenMigration('0006-analyze-often', [
  'authorization_codes',
  'access_tokens',
  'association_tokens',
])

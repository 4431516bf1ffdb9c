import { analyzeOftenMigration } from '#database'

export const analyzeUsersOften = analyzeOftenMigration('0006-analyze-often', [
  'users',
  'links',
  'login_history',
  'stored_responses',
  'user_counts',
])

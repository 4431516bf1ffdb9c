import { analyzeOftenMigration } from '#database'

export const analyzeOften = analyzeOftenMigration('0003-analyze-often', ['events', 'webhook_deliveries'])

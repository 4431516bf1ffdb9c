import { analyzeOftenMigration } from '#database'

export const analyzeEventsOften = analyzeOftenMigration('0003-analyze-often', ['events', 'webhook_deliveries'])

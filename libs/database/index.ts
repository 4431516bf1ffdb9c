export * from './commands.ts'
export * from './connect.ts'
export * from './constraint-errors.ts'
export { distribute, previewDistribution } from './distribute.ts'
export { type Distribution, DistributionError, type DistributionPlan, isDistributed } from './distribution.ts'
export * from './encrypted-payload.ts'
export { type EncryptedTable, encryptedUnder } from './encryption/encrypted-values.ts'
export { type EncryptionCommand, encryptedValuesOf, listKeyUsage, runEncryptionCommand } from './encryption-command.ts'
export { startEventRelay } from './event-relay.ts'
export * from './job-worker.ts'
export * from './jobs.ts'
export * from './link-data.ts'
export { isSchemaCurrent, type Migration, migrate, waitForSchema } from './migrate.ts'
export * from './migrate-command.ts'
export * from './outages.ts'
export * from './outbox.ts'
export {
  discardPendingEvents,
  type EventToStore,
  encryptedPendingEvents,
  insertOfEvent,
  pendingEventsMigration,
  storeEvents,
  toEventParameters,
} from './pending-events.ts'
export { convertPersonalData, type PersonalTable } from './personal-data/convert.ts'
export {
  destroyPersonalKeys,
  discardPersonalKeys,
  encryptedPersonalKeys,
  keyOfSubject,
  personalKeysTable,
} from './personal-data/keys.ts'
export { createPersonalData, type PersonalColumn, type PersonalData } from './personal-data/personal-data.ts'
export * from './provision.ts'
export { openReadReplicas, type ReadReplicas } from './read-replicas.ts'
export type { Reader } from './reader.ts'
export { serveStaleReads } from './serve-stale-reads.ts'
export { sessionLimits } from './session-limits.ts'
export { defineBatchStatement, splitBySite } from './site-batches.ts'
export { copyKeysExpiry, encryptedCopyKeys } from './site-copy/copies.ts'
export { createSiteCopyHandlers } from './site-copy/handlers.ts'
export { siteFreezesMigration } from './site-copy/migration.ts'
export { copiedPersonalData, copiedValues } from './site-copy/secrets.ts'
export * from './site-deletion.ts'
export { isFrozenBy, isNotFrozen, passFreeze } from './site-freeze.ts'
export { type SiteDataTable, siteCopyGlobalTables, siteCopyTables } from './site-tables.ts'
export * from './statement.ts'
export { analyzeOften, analyzeOftenMigration } from './statistics.ts'
export { sweepRows } from './sweep.ts'
export * from './transaction.ts'

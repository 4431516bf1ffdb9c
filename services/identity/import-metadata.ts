import type { Knex } from 'knex'
import { type EventUser, emptyMetadata, type ImportedUser, type RejectedField, type StoredMetadata } from '#contracts'
import type { EventToStore } from '#database'
import { isSameMetadata, mergeMetadata } from './domain/metadata.ts'
import { metadataChangedEvent } from './domain/user-events.ts'
import type { ReadSiteSchemas } from './metadata-validation.ts'
import { listMetadata, upsertMetadataOfUsers } from './store/user-metadata.ts'

/** The metadata of the users of an import's batch. */
export interface MetadataOfBatch {
  /**
   * Changes the metadata of a user to that of a record. With `merge`, the user's own members remain, and if the result does not
   * match the schemas of the site, the metadata too. A record without metadata changes none.
   *
   * @returns the event of the change, if there is one
   */
  readonly change: (
    user: EventUser & { readonly site: number; readonly time: Date },
    record: ImportedUser,
    rule: 'replace' | 'merge',
  ) => EventToStore | undefined
  /** Why the metadata of a record does not match the schemas of the site; parts that the record does not have are not checked. */
  readonly findViolation: (record: ImportedUser) => RejectedField | undefined
  /** Stores all changes; the users must be inserted. */
  readonly store: () => Promise<void>
}

/** @param matched the locked users that the records match */
export async function openMetadata(
  trx: Knex.Transaction,
  site: number,
  records: readonly ImportedUser[],
  matched: readonly string[],
  readSiteSchemas: ReadSiteSchemas,
): Promise<MetadataOfBatch> {
  const isNeeded = matched.length > 0 && records.some(hasMetadata)
  const metadataOf = isNeeded ? await listMetadata(trx, site, matched) : new Map<string, StoredMetadata>()
  const schemas = records.some(hasMetadata) ? await readSiteSchemas(trx, site) : undefined
  const changed = new Set<string>()
  return {
    change(user, record, rule) {
      if (!hasMetadata(record)) return undefined
      const before = metadataOf.get(user.identifier) ?? emptyMetadata
      const imported = { user_metadata: record.user_metadata ?? {}, app_metadata: record.app_metadata ?? {} }
      const after = rule === 'merge' ? mergeMetadata(imported, before) : imported
      if (isSameMetadata(before, after)) return undefined
      if (rule === 'merge' && schemas?.findViolation(before, after) !== undefined) return undefined
      const { user_metadata, app_metadata } = after
      const metadata = { user_metadata, app_metadata, revision: before.revision + 1 }
      metadataOf.set(user.identifier, metadata)
      changed.add(user.identifier)
      return metadataChangedEvent(user, metadata)
    },
    findViolation: ({ user_metadata, app_metadata }) =>
      schemas?.findViolation({}, { ...(user_metadata && { user_metadata }), ...(app_metadata && { app_metadata }) }),
    store: () =>
      upsertMetadataOfUsers(
        trx,
        site,
        [...metadataOf].filter(([identifier]) => changed.has(identifier)),
      ),
  }
}

function hasMetadata({ user_metadata, app_metadata }: ImportedUser): boolean {
  return user_metadata !== undefined || app_metadata !== undefined
}

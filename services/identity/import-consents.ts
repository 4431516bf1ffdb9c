import type { Knex } from 'knex'
import type { Consent, EventUser, ImportedUser } from '#contracts'
import type { EventToStore } from '#database'
import { toTimestamp } from '#runtime'
import { areSameConsents, mergeConsents, sortByDocument } from './domain/consents.ts'
import { consentsChangedEvent } from './domain/user-events.ts'
import { listConsents, storeConsents } from './store/consents.ts'

/** The answers of the users of an import's batch. */
export interface ConsentsOfBatch {
  /**
   * Changes the answers of a user to those of a record; with `merge`, the later one to each document stays. A record without
   * answers changes none.
   *
   * @returns the event of the change, if there is one
   */
  readonly change: (
    user: EventUser & { readonly site: number; readonly time: Date },
    record: ImportedUser,
    rule: 'replace' | 'merge',
  ) => EventToStore | undefined
  /** Stores all changes; the users must be inserted. */
  readonly store: () => Promise<void>
}

/** @param matched the locked users that the records match */
export async function openConsents(
  trx: Knex.Transaction,
  site: number,
  records: readonly ImportedUser[],
  matched: readonly string[],
): Promise<ConsentsOfBatch> {
  const isNeeded = matched.length > 0 && records.some(({ consents }) => consents !== undefined)
  const consentsOf: Map<string, readonly Consent[]> = isNeeded ? await listConsents(trx, site, matched) : new Map()
  const changed = new Set<string>()
  return {
    change(user, { consents }, rule) {
      if (consents === undefined) return undefined
      const before = consentsOf.get(user.identifier) ?? []
      const imported = sortByDocument(
        consents.map((consent) => ({ ...consent, answered_at: toTimestamp(new Date(consent.answered_at)) })),
      )
      const after = rule === 'merge' ? mergeConsents(imported, before) : imported
      if (areSameConsents(before, after)) return undefined
      consentsOf.set(user.identifier, after)
      changed.add(user.identifier)
      return consentsChangedEvent(user, after)
    },
    store: () =>
      storeConsents(
        trx,
        site,
        [...consentsOf].filter(([identifier]) => changed.has(identifier)),
      ),
  }
}

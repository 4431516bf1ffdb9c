import {
  copyKeysExpiry,
  discardPendingEvents,
  discardPersonalKeys,
  type EncryptionCommand,
  encryptedCopyKeys,
  encryptedPendingEvents,
  encryptedPersonalKeys,
  encryptedValuesOf,
  type PersonalTable,
} from '#database'
import type { CombinedData } from './domain/combine.ts'
import { addMissingFields, removeMissingFields, type ShortData } from './domain/short-form.ts'

export const combinedColumn: PersonalTable = {
  table: 'profiles',
  column: 'combined',
  key: 'identifier',
  keyType: 'text',
  subject: 'identifier',
  // The column has nothing else.
  shortForm: {
    shorten: (data) => removeMissingFields(data as CombinedData),
    restore: (short) => addMissingFields(short as ShortData),
  },
}

export const linkDataColumn: PersonalTable = {
  table: 'provider_profiles',
  column: 'data',
  key: 'link_id',
  keyType: 'uuid',
  subject: 'link_id',
}

/** What this service encrypts in its database, besides the keys of search terms, which it rotates itself. */
export const encryptedProfiles: EncryptionCommand = {
  service: 'profile',
  tables: [encryptedValuesOf(encryptedPersonalKeys)],
  personalTables: [combinedColumn, linkDataColumn],
  shortLived: [{ table: 'user_search_keys', columns: ['key_encrypted'] }],
  shortLivedTexts: [encryptedPendingEvents, encryptedCopyKeys],
  expiryNotes: {
    site_copies: copyKeysExpiry,
    'user_search_keys.key_encrypted': ' (rotated within minutes)',
    pending_events: ' (deleted when the events have been sent)',
  },
  async discard(knex, keyId) {
    const keys = await discardPersonalKeys(knex, keyId)
    const events = await discardPendingEvents(knex, keyId)
    return `deleted: the keys of ${keys} users and links, ${events} events that were not sent
The data of these users is lost. A login stores it again.
`
  },
}

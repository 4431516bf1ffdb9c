import {
  discardPendingEvents,
  discardPersonalKeys,
  type EncryptionCommand,
  encryptedPendingEvents,
  encryptedPersonalKeys,
  encryptedValuesOf,
} from '#database'

/** What this service encrypts in its database, besides the keys of search terms, which it rotates itself. */
export const encryptedProfiles: EncryptionCommand = {
  service: 'profile',
  tables: [encryptedValuesOf(encryptedPersonalKeys)],
  personalTables: [
    { table: 'profiles', column: 'combined', key: 'identifier', keyType: 'text', subject: 'identifier' },
    { table: 'provider_profiles', column: 'data', key: 'link_id', keyType: 'uuid', subject: 'link_id' },
  ],
  shortLived: [{ table: 'user_search_keys', columns: ['key_encrypted'] }],
  shortLivedTexts: [encryptedPendingEvents],
  expiryNotes: {
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

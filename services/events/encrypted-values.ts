import {
  copyKeysExpiry,
  discardPersonalKeys,
  type EncryptionCommand,
  encryptedCopyKeys,
  encryptedPersonalKeys,
  encryptedValuesOf,
  type PersonalTable,
} from '#database'

export const eventDataColumn: PersonalTable = {
  table: 'events',
  column: 'data',
  key: 'sequence',
  keyType: 'bigint',
  subject: 'identifier',
}

/** What this service encrypts in its database, besides the secrets of endpoints, which it re-encrypts itself. */
export const encryptedEvents: EncryptionCommand = {
  service: 'events',
  tables: [encryptedValuesOf(encryptedPersonalKeys)],
  personalTables: [eventDataColumn],
  shortLived: [{ table: 'webhook_secrets', columns: ['secret_encrypted'] }],
  shortLivedTexts: [encryptedCopyKeys],
  expiryNotes: {
    'webhook_secrets.secret_encrypted': ' (re-encrypted within minutes)',
    site_copies: copyKeysExpiry,
  },
  async discard(knex, keyId) {
    const keys = await discardPersonalKeys(knex, keyId)
    return `deleted: the keys of ${keys} users
The earlier events of these users have lost their data.
`
  },
}

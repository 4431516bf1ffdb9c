import { copiedPersonalData, copiedValues, createSiteCopyHandlers } from '#database'
import type { Deps } from '../deps.ts'
import { combinedColumn, linkDataColumn } from '../encrypted-values.ts'
import { searchKeyContextOf } from '../search-keys.ts'
import { profileTables } from '../site-tables.ts'

const searchKeys = {
  table: 'user_search_keys',
  columns: ['key_encrypted'],
  encryptionContextOf: searchKeyContextOf,
}

export const siteCopyHandlers = createSiteCopyHandlers<Deps>(({ knex, encryptor, combinedData, linkData }) => ({
  knex,
  service: 'profile',
  tables: profileTables,
  queues: ['jobs', 'pending_events'],
  queueOptions: { events: encryptor },
  secrets: [
    copiedPersonalData(combinedColumn, combinedData),
    copiedPersonalData(linkDataColumn, linkData),
    copiedValues(searchKeys, encryptor, ({ version }, site) => ({ site, version: Number(version) })),
  ],
  encryptor,
}))

import { copiedPersonalData, copiedValues, createSiteCopyHandlers } from '#database'
import { secretContextOf } from '../delivery/secrets.ts'
import type { Deps } from '../deps.ts'
import { eventDataColumn } from '../encrypted-values.ts'
import { eventsTables } from '../site-tables.ts'

const webhookSecrets = {
  table: 'webhook_secrets',
  columns: ['secret_encrypted'],
  encryptionContextOf: ({ secret_id }: { readonly secret_id: string }) => secretContextOf(secret_id),
}

export const siteCopyHandlers = createSiteCopyHandlers<Deps>(({ knex, encryptor, eventData }) => ({
  knex,
  service: 'events',
  tables: eventsTables,
  queues: [],
  secrets: [
    copiedPersonalData(eventDataColumn, eventData),
    copiedValues(webhookSecrets, encryptor, ({ secret_id }) => ({ secret_id: secret_id ?? '' })),
  ],
  encryptor,
}))

import { lockLinks, transaction, upsertDeletedLinkData } from '#database'
import type { ProviderAuthHandlers } from '../deps.ts'
import { findCredentials } from '../store/credentials.ts'
import { listRecipients } from '../store/data-recipients.ts'

export const prepareErasure: ProviderAuthHandlers['prepareErasure'] = async ({ site, link_ids }, { knex }) => {
  const deleted = await transaction(knex, async (trx) => {
    await lockLinks(trx, link_ids)
    await upsertDeletedLinkData(trx, site, link_ids, 'infinity')
    const credentials = await findCredentials(trx, { site, link_ids })
    const recipients = await listRecipients(trx, { site, link_ids })
    return { credentials: credentials.length, recipients: recipients.length }
  })
  return { deleted }
}

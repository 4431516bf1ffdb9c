import { listNamedRecipients } from '../account/recipients.ts'
import type { ProviderAuthHandlers } from '../deps.ts'

export const readDataRecipients: ProviderAuthHandlers['readDataRecipients'] = async (links, deps) => ({
  recipients: await listNamedRecipients(links, deps),
})

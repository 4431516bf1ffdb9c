import type { Handler } from '#bus'
import type { providerAuthContract } from '#contracts'
import { listNamedRecipients } from '../account/recipients.ts'
import type { Deps } from '../deps.ts'

type Procedure = (typeof providerAuthContract.procedures)['readDataRecipients']

export const readDataRecipients: Handler<Procedure, Deps> = async (links, deps) => ({
  recipients: await listNamedRecipients(links, deps),
})

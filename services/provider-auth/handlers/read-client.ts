import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { listSiteClients } from '../store/clients.ts'

type Procedure = (typeof providerAuthContract.procedures)['readClient']

export const readClient: Handler<Procedure, Deps> = async (name, { knex }) => {
  const [client] = await listSiteClients(knex, name)
  if (client === undefined) throw new Fault('entity_not_found')
  return client
}

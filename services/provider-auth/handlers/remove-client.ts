import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { deleteClient } from '../store/clients.ts'

type Procedure = (typeof providerAuthContract.procedures)['removeClient']

export const removeClient: Handler<Procedure, Deps> = async (name, { knex }) => {
  if (!(await deleteClient(knex, name))) throw new Fault('entity_not_found')
  return {}
}

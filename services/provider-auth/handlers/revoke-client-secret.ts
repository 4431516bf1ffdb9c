import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { deleteSecret, lockClient } from '../store/clients.ts'

type Procedure = (typeof providerAuthContract.procedures)['revokeClientSecret']

export const revokeClientSecret: Handler<Procedure, Deps> = async ({ secret_id, ...name }, { knex }) => {
  await transaction(knex, async (trx) => {
    const client = await lockClient(trx, name)
    if (!client?.secrets.some((secret) => secret.secret_id === secret_id)) throw new Fault('entity_not_found')
    if (client.secrets.length === 1) throw new Fault('invalid_parameter')
    await deleteSecret(trx, name.client_id, secret_id)
  })
  return {}
}

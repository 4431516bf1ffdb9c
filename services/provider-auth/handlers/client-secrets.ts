import { randomUUID } from 'node:crypto'
import { Fault } from '#contracts'
import { transaction } from '#database'
import { hashSecret, newToken } from '#runtime'
import type { ProviderAuthHandlers } from '../deps.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { deleteSecret, insertSecret, lockClient } from '../store/clients.ts'

/** One in use and one to rotate to. Our choice. */
const maxActiveSecrets = 2

export const issueClientSecret: ProviderAuthHandlers['issueClientSecret'] = async (name, { knex }) => {
  const secretId = randomUUID()
  const clientSecret = newToken(tokenPrefixes.client_secret)
  await transaction(knex, async (trx) => {
    const client = await lockClient(trx, name)
    if (client === undefined) throw new Fault('entity_not_found')
    if (client.kind === 'public' || client.secrets.length >= maxActiveSecrets) throw new Fault('invalid_parameter')
    await insertSecret(trx, { client_id: name.client_id, secret_id: secretId, secret_hash: hashSecret(clientSecret) })
  })
  return { secret_id: secretId, client_secret: clientSecret }
}

export const revokeClientSecret: ProviderAuthHandlers['revokeClientSecret'] = async (
  { secret_id, ...name },
  { knex },
) => {
  await transaction(knex, async (trx) => {
    const client = await lockClient(trx, name)
    if (!client?.secrets.some((secret) => secret.secret_id === secret_id)) throw new Fault('entity_not_found')
    if (client.secrets.length === 1) throw new Fault('invalid_parameter')
    await deleteSecret(trx, name.client_id, secret_id)
  })
  return {}
}

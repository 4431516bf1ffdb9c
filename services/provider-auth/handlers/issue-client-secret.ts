import { randomUUID } from 'node:crypto'
import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import { transaction } from '#database'
import { hashSecret, newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { insertSecret, lockClient } from '../store/clients.ts'

/** One in use and one to rotate to. Our choice. */
const maxActiveSecrets = 2

type Procedure = (typeof providerAuthContract.procedures)['issueClientSecret']

export const issueClientSecret: Handler<Procedure, Deps> = async (name, { knex }) => {
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

import type { Knex } from 'knex'
import { isNotFrozen } from '#database'
import type { EndpointKey } from './webhook-endpoints.ts'

/** A secret of an endpoint. */
interface SecretRow extends EndpointKey {
  readonly secret_id: string
  readonly secret_encrypted: Buffer
}

/** Adds the newest secret of a locked endpoint; the others remain valid for so long. */
export async function insertWebhookSecret(
  trx: Knex.Transaction,
  { site, endpoint_id, secret_id, secret_encrypted }: SecretRow,
  othersSeconds: number,
): Promise<void> {
  const ofEndpoint = () => trx('webhook_secrets').where({ site, endpoint_id })
  await ofEndpoint().update({
    expires_at: trx.raw('least(expires_at, now() + make_interval(secs => ?))', [othersSeconds]),
  })
  await ofEndpoint().whereRaw('expires_at <= now()').delete()
  await trx('webhook_secrets').insert({ site, endpoint_id, secret_id, secret_encrypted })
}

/** Secrets of all sites that are not encrypted with the key whose values begin with `head`. */
export async function listSecretsOfOtherKeys(knex: Knex, head: Buffer): Promise<SecretRow[]> {
  return knex('webhook_secrets')
    .whereRaw('substring(secret_encrypted for ?) <> ?', [head.length, head])
    .whereRaw(isNotFrozen('site'))
    .select('site', 'endpoint_id', 'secret_id', 'secret_encrypted')
}

/** Replaces the encrypted form, unless another replica has done so. */
export async function replaceSecret(
  knex: Knex,
  { site, endpoint_id, secret_id, secret_encrypted }: SecretRow,
  encrypted: Buffer,
): Promise<void> {
  await knex('webhook_secrets')
    .where({ site, endpoint_id, secret_id, secret_encrypted })
    .update({ secret_encrypted: encrypted })
}

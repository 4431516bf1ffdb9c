import type { Knex } from 'knex'
import { encryptedUnder, transaction } from '#database'
import { encryptedCredentials } from './store/encrypted-credentials.ts'

export interface DiscardResult {
  readonly credentials: number
  readonly signing_keys: number
  /**
   * Provider settings whose secrets are lost, `<account>/<site_id>/<provider>`. They remain and have to be saved again.
   */
  readonly settings: readonly string[]
}

/**
 * Discards the values that are encrypted with a permanently lost key: tokens become null until the end users log in
 * again; signing keys and codes are deleted. Provider settings keep their identifiers and URIs.
 */
export async function discardEncryptedValues(knex: Knex, keyId: string): Promise<DiscardResult> {
  return transaction(knex, async (trx) => {
    let credentials = 0
    for (const column of encryptedCredentials.columns)
      credentials += await trx('credentials')
        .where(encryptedUnder(trx, column, keyId))
        .update({ [column]: null })
    const signingKeys = await trx('signing_keys')
      .where(encryptedUnder(trx, 'private_jwk', keyId))
      .delete()
    await trx('authorization_codes')
      .where(encryptedUnder(trx, 'claims', keyId))
      .delete()
    const settings = await trx('provider_settings')
      .where((any) =>
        any.where(encryptedUnder(trx, 'client_secret', keyId)).orWhere(encryptedUnder(trx, 'options', keyId)),
      )
      .orderBy(['account', 'site_id', 'provider'])
      .select('account', 'site_id', 'provider')
    return {
      credentials,
      signing_keys: signingKeys,
      settings: settings.map(({ account, site_id, provider }) => `${account}/${site_id}/${provider}`),
    }
  })
}

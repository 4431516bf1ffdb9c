import { type Encryptor, repeatInBackground } from '#runtime'
import type { Deps } from '../deps.ts'
import { listProviderSecretsOfOtherKeys, replaceProviderSecret } from '../store/account-providers.ts'

const intervalMs = 60_000

type ReencryptionDeps = Pick<Deps, 'knex' | 'logger' | 'accountProviders'> & {
  readonly encryptor: Pick<Encryptor, 'head'>
}

/** Encrypts secrets of accounts' providers with the current key of the ring, every minute until disposed, so that earlier keys can be removed. */
export function startProviderSecretReencryption({
  knex,
  logger,
  accountProviders,
  encryptor,
}: ReencryptionDeps): Disposable {
  const run = async () => {
    for (const stored of await listProviderSecretsOfOtherKeys(knex, encryptor.head())) {
      const secret = await accountProviders.decryptSecret(stored)
      await replaceProviderSecret(knex, stored, accountProviders.encryptSecret(stored.account, secret))
    }
  }
  const failure = 'secrets of providers of accounts not encrypted again; retrying in a minute'
  return repeatInBackground(run, { intervalMs, logger, failure })
}

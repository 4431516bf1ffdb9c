import type { Knex } from 'knex'
import { type Encryptor, type Logger, repeatInBackground } from '#runtime'
import { listSecretsOfOtherKeys, replaceSecret } from '../store/webhook-secrets.ts'
import { decryptSecrets, encryptSecret } from './secrets.ts'

const intervalMs = 60_000

interface ReencryptionDeps {
  readonly knex: Knex
  readonly encryptor: Pick<Encryptor, 'encrypt' | 'decrypt' | 'head'>
  readonly logger: Logger
}

/** Encrypts secrets of endpoints with the current key of the ring, every minute until disposed, so that earlier keys can be removed. */
export function startSecretReencryption(deps: ReencryptionDeps): Disposable {
  const { logger } = deps
  const failure = 'secrets of endpoints not encrypted again; retrying in a minute'
  return repeatInBackground(() => reencryptSecrets(deps), { intervalMs, logger, failure })
}

/** @throws DecryptionError if the key of a secret is no longer in the ring */
export async function reencryptSecrets({ knex, encryptor }: Omit<ReencryptionDeps, 'logger'>): Promise<void> {
  for (const stored of await listSecretsOfOtherKeys(knex, encryptor.head())) {
    const [secret = ''] = await decryptSecrets({ secrets: [stored] }, encryptor)
    await replaceSecret(knex, stored, encryptSecret(encryptor, stored.secret_id, secret))
  }
}

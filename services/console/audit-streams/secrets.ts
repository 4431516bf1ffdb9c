import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { DecryptionError, type EncryptionContext, type Encryptor, type Logger, repeatInBackground } from '#runtime'
import {
  type EncryptedStreamSecret,
  listStreamSecretsOfOtherKeys,
  replaceStreamSecret,
} from '../store/audit-stream-secrets.ts'

const intervalMs = 60_000

/** Encrypts a secret of a stream for the database: that of a webhook, headers as JSON, or a private key. */
export function encryptStreamSecret(encryptor: Pick<Encryptor, 'encrypt'>, secret: string): EncryptedStreamSecret {
  const secretId = randomUUID()
  return { secret_id: secretId, secret_encrypted: encryptor.encrypt(secret, contextOf(secretId)) }
}

/** Decrypts the secrets of a stream, in their order; undefined if one cannot be decrypted, which is logged and counted. */
export function openStreamSecrets(
  encryptor: Pick<Encryptor, 'decrypt'>,
  secrets: readonly EncryptedStreamSecret[],
): Promise<string[] | undefined> {
  return decryptStreamSecrets(encryptor, secrets).catch((error: unknown) => {
    if (error instanceof DecryptionError) return undefined
    throw error
  })
}

/** @throws DecryptionError */
function decryptStreamSecrets(
  encryptor: Pick<Encryptor, 'decrypt'>,
  secrets: readonly EncryptedStreamSecret[],
): Promise<string[]> {
  return Promise.all(
    secrets.map(({ secret_id, secret_encrypted }) => encryptor.decrypt(secret_encrypted, contextOf(secret_id))),
  )
}

function contextOf(secretId: string): EncryptionContext {
  return ['audit_stream_secrets', secretId]
}

interface ReencryptionDeps {
  readonly knex: Knex
  readonly encryptor: Pick<Encryptor, 'encrypt' | 'decrypt' | 'head'>
  readonly logger: Logger
}

/** Encrypts secrets of streams with the current key of the ring, every minute until disposed, so that earlier keys can be removed. */
export function startStreamSecretReencryption({ knex, encryptor, logger }: ReencryptionDeps): Disposable {
  const reencrypt = async () => {
    for (const stored of await listStreamSecretsOfOtherKeys(knex, encryptor.head())) {
      const [secret = ''] = await decryptStreamSecrets(encryptor, [stored])
      await replaceStreamSecret(knex, stored, encryptor.encrypt(secret, contextOf(stored.secret_id)))
    }
  }
  const failure = 'secrets of audit streams not encrypted again; retrying in a minute'
  return repeatInBackground(reencrypt, { intervalMs, logger, failure })
}

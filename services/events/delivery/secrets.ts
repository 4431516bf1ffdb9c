import type { EncryptionContext, Encryptor } from '#runtime'

interface EncryptedSecret {
  readonly secret_id: string
  readonly secret_encrypted: Buffer
}

/** @returns the secret for the database */
export function encryptSecret(encryptor: Pick<Encryptor, 'encrypt'>, secretId: string, secret: string): Buffer {
  return encryptor.encrypt(secret, secretContextOf(secretId))
}

/** Decrypts the valid secrets of an endpoint, in their order. @throws DecryptionError */
export function decryptSecrets(
  { secrets }: { readonly secrets: readonly EncryptedSecret[] },
  encryptor: Pick<Encryptor, 'decrypt'>,
): Promise<string[]> {
  return Promise.all(
    secrets.map(({ secret_id, secret_encrypted }) => encryptor.decrypt(secret_encrypted, secretContextOf(secret_id))),
  )
}

/** The encryption context of the secret of an endpoint. */
export function secretContextOf(secretId: string): EncryptionContext {
  return ['webhook_secrets', secretId]
}

import type { EncryptionContext, Encryptor } from '#runtime'

interface EncryptedSecret {
  readonly secret_id: string
  readonly secret_encrypted: Buffer
}

/** @returns the secret for the database */
export function encryptSecret(encryptor: Pick<Encryptor, 'encrypt'>, secretId: string, secret: string): Buffer {
  return encryptor.encrypt(secret, contextOf(secretId))
}

/** Decrypts the valid secrets of an endpoint, in their order. @throws DecryptionError */
export function decryptSecrets(
  { secrets }: { readonly secrets: readonly EncryptedSecret[] },
  encryptor: Pick<Encryptor, 'decrypt'>,
): Promise<string[]> {
  return Promise.all(
    secrets.map(({ secret_id, secret_encrypted }) => encryptor.decrypt(secret_encrypted, contextOf(secret_id))),
  )
}

function contextOf(secretId: string): EncryptionContext {
  return ['webhook_secrets', secretId]
}

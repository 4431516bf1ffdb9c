import { createCipheriv, createDecipheriv, createHash, type KeyObject, randomBytes } from 'node:crypto'
import { DecryptionError, type EncryptionContext } from '#runtime'

// Layout: key ID (4) · nonce (12) · tag (16) · ciphertext, AES-256-GCM. A key encrypts the data of one subject, far fewer than 2^32
// values. By the key ID, data of a key that was destroyed and replaced differs from damaged data.
const keyIdBytes = 4
const nonceEnd = keyIdBytes + 12
const tagBytes = 16
const tagEnd = nonceEnd + tagBytes

export function encryptText(text: string, key: KeyObject, context: EncryptionContext): Buffer {
  const keyId = idOf(key)
  const nonce = randomBytes(nonceEnd - keyIdBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(context))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([keyId, nonce, cipher.getAuthTag(), ciphertext])
}

/** @returns undefined if another key encrypted it. @throws DecryptionError if it is damaged or was moved */
export function decryptText(encrypted: Buffer, key: KeyObject, context: EncryptionContext): string | undefined {
  if (!encrypted.subarray(0, keyIdBytes).equals(idOf(key))) return undefined
  const nonce = encrypted.subarray(keyIdBytes, nonceEnd)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      .setAAD(associatedData(context))
      .setAuthTag(encrypted.subarray(nonceEnd, tagEnd))
    return Buffer.concat([decipher.update(encrypted.subarray(tagEnd)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new DecryptionError('damaged', 'it was changed or moved', { cause })
  }
}

function associatedData(context: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify(context))
}

/** The first bytes of the SHA-256 of the key. */
function idOf(key: KeyObject): Buffer {
  return createHash('sha256').update(key.export()).digest().subarray(0, keyIdBytes)
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Registry } from 'prom-client'
import { createDataKeyCache } from './data-key-cache.ts'
import { DecryptionError } from './decryption-error.ts'
import type { KeyRing, WrappedKey } from './key-ring.ts'
import type { Logger } from './logger.ts'
import { createCounter } from './metrics/create.ts'

/** Secrets at rest: envelope encryption with AES-256-GCM, bound to the place they are stored at. */
export interface Encryptor {
  /** @param place where the value is stored, e.g. `['credentials', link_id, 'access_token']` */
  readonly encrypt: (plain: string, place: EncryptionContext) => Buffer
  /** @throws DecryptionError */
  readonly decrypt: (encrypted: Buffer, place: EncryptionContext) => Promise<string>
  /**
   * Opens a value that a client returned, such as a cookie. Returns undefined if it is damaged, without a log line or a
   * metric: any client can damage one.
   */
  readonly decryptReturned: (encrypted: Buffer, place: EncryptionContext) => Promise<string | undefined>
  /** What every value begins with that is encrypted from here on. */
  readonly head: () => Buffer
}

export type EncryptionContext = readonly (string | number)[]

// Layout 1: version (1) · length of the key id (1) · key id · length of the wrapped key (2) · wrapped key · nonce (12) ·
// tag (16) · ciphertext.
const layout = 1
const nonceBytes = 12
const tagBytes = 16

/** How soon a process encrypts with a key that has come to its ring. Our choice. */
export const keyRingPollSeconds = 5

/**
 * A process encrypts with a data key for so long. With random nonces a key is good for 2^32 values (NIST SP 800-38D 8.3), which a
 * process does not reach in a day by a factor of ten even at 5000 a second. Our choice.
 */
const dataKeySeconds = 86_400

/**
 * A encryptor on a ring. A process makes a data key, has the ring wrap it, encrypts with it for a day, and stores the wrapped key in
 * front of each value. A data key for each value would cost a call of a key management service for each read and write; one for
 * everything would lay all open with one key and have to be agreed on between replicas. This way the ring is asked once a day
 * and process, and reading asks it for a data key it has not met; a value can be opened by itself, wherever it was restored
 * from; and who comes by a data key opens what one process encrypted in a day.
 *
 * Encrypting never waits for the ring: another data key is made in the background, and until it is there the one before serves.
 */
export async function createEncryptor(
  ring: KeyRing,
  { logger, registry }: { readonly logger?: Logger; readonly registry?: Registry } = {},
): Promise<Encryptor & Disposable> {
  const unwrapped = createDataKeyCache(ring)
  const broken = registry && createCounter(registry, 'sociallogin_decryption_failures_total')
  const make = async () => {
    const key = randomBytes(32)
    const wrapped = await ring.wrap(key)
    unwrapped.remember(wrapped, key)
    return { key, head: headOf(wrapped), key_id: wrapped.key_id, made_at: performance.now() }
  }
  let dataKey = await make()

  const renew = async () => {
    try {
      const aged = performance.now() - dataKey.made_at > dataKeySeconds * 1_000
      if (aged || (await ring.current()) !== dataKey.key_id) dataKey = await make()
    } catch (error) {
      logger?.error({ error }, 'The key ring gives no new data key; the present one serves on.')
    }
  }
  const timer = setInterval(renew, keyRingPollSeconds * 1_000).unref()

  const tellBroken = (error: DecryptionError, [keptIn = '']: EncryptionContext) => {
    broken?.inc({ kept_in: keptIn, by: error.by })
    logger?.error({ error, kept_in: keptIn }, 'a encrypted value cannot be opened')
  }
  const open = async (encrypted: Buffer, place: EncryptionContext): Promise<string> => {
    const parts = partsOf(encrypted)
    return decipher(parts, await unwrapped.find(parts), place)
  }
  return {
    encrypt(plain, place) {
      const nonce = randomBytes(nonceBytes)
      const { key, head } = dataKey
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(head, place))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text])
    },
    async decrypt(encrypted, place) {
      try {
        return await open(encrypted, place)
      } catch (error) {
        if (error instanceof DecryptionError) tellBroken(error, place)
        throw error
      }
    },
    async decryptReturned(encrypted, place) {
      try {
        return await open(encrypted, place)
      } catch (error) {
        if (error instanceof DecryptionError) return undefined
        throw error
      }
    },
    head: () => startOf(dataKey.key_id),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** What each value begins with that was encrypted in the present layout under a ring's key. */
function startOf(keyId: string): Buffer {
  return Buffer.concat([Buffer.from([layout, keyId.length]), Buffer.from(keyId, 'latin1')])
}

function headOf({ key_id, wrapped }: WrappedKey): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(wrapped.length)
  return Buffer.concat([startOf(key_id), length, wrapped])
}

interface Parts extends WrappedKey {
  /** All before the nonce. */
  readonly head: Buffer
  readonly nonce: Buffer
  readonly tag: Buffer
  readonly text: Buffer
}

function partsOf(encrypted: Buffer): Parts {
  const [version, idBytes = 0] = encrypted
  const idEnd = 2 + idBytes
  if (version !== layout || encrypted.length < idEnd + 2) throw new DecryptionError('damaged', 'its layout is unknown')
  const headEnd = idEnd + 2 + encrypted.readUInt16BE(idEnd)
  const textStart = headEnd + nonceBytes + tagBytes
  if (encrypted.length < textStart) throw new DecryptionError('damaged', 'its layout is unknown')
  return {
    head: encrypted.subarray(0, headEnd),
    key_id: encrypted.toString('latin1', 2, idEnd),
    wrapped: encrypted.subarray(idEnd + 2, headEnd),
    nonce: encrypted.subarray(headEnd, headEnd + nonceBytes),
    tag: encrypted.subarray(headEnd + nonceBytes, textStart),
    text: encrypted.subarray(textStart),
  }
}

function decipher({ head, nonce, tag, text }: Parts, key: Buffer, place: EncryptionContext): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(boundTo(head, place))
    .setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new DecryptionError('damaged', 'it was changed or moved', { cause })
  }
}

function boundTo(head: Buffer, place: EncryptionContext): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify(place))])
}

import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Registry } from 'prom-client'
import { createDataKeyCache } from './data-key-cache.ts'
import { DecryptionError } from './decryption-error.ts'
import type { KeyRing, WrappedKey } from './key-ring.ts'
import type { Logger } from './logger.ts'
import { createCounter } from './metrics/create.ts'

/** Encrypts secrets at rest: envelope encryption with AES-256-GCM. The encryption context is authenticated. */
export interface Encryptor {
  /** @param context identifies where the value is stored, e.g. `['credentials', link_id, 'access_token']` */
  readonly encrypt: (plain: string, context: EncryptionContext) => Buffer
  /** @throws DecryptionError */
  readonly decrypt: (encrypted: Buffer, context: EncryptionContext) => Promise<string>
  /**
   * Decrypts a value that a client returned, such as a cookie. Returns undefined if it is damaged, without a log line or a
   * metric, because any client can damage it.
   */
  readonly decryptReturned: (encrypted: Buffer, context: EncryptionContext) => Promise<string | undefined>
  /** Logs and counts that a value could not be decrypted with a key that this encryptor has decrypted. */
  readonly reportFailure: (error: DecryptionError, context: EncryptionContext) => void
  /** The first bytes of every value that is encrypted from now on. */
  readonly head: () => Buffer
}

export type EncryptionContext = readonly (string | number)[]

// Layout 1: version (1) · length of the key ID (1) · key ID · length of the wrapped key (2) · wrapped key · nonce (12) ·
// tag (16) · ciphertext.
const layoutVersion = 1
const nonceBytes = 12
const tagBytes = 16

/** How soon a process uses a key that was added to its ring. Our choice. */
export const keyRingPollSeconds = 5

/**
 * How long a process uses a data key. With random nonces, a key is secure for 2^32 values (NIST SP 800-38D 8.3), ten times as
 * many as a process encrypts in a day at 5,000 per second. Our choice.
 */
const dataKeySeconds = 86_400

/**
 * Creates an encryptor with the keys of a ring. A process creates a data key, wraps it with the ring, encrypts with it for a
 * day, and stores the wrapped key with each value. A data key per value would cost a call of a key management service for
 * each read and write. One key for everything would expose all values at once and need coordination between replicas. This
 * way, a process wraps one key a day and unwraps each other key once, each value can be decrypted by itself, even from a
 * backup, and a leaked data key exposes the values that one process encrypted in a day.
 *
 * Encrypting never waits for the ring: the next data key is created in the background while the current one remains in use.
 */
export async function createEncryptor(
  ring: KeyRing,
  {
    logger,
    registry,
    pollSeconds = keyRingPollSeconds,
  }: { readonly logger?: Logger; readonly registry?: Registry; readonly pollSeconds?: number } = {},
): Promise<Encryptor & Disposable> {
  const dataKeys = createDataKeyCache(ring)
  const failures = registry && createCounter(registry, 'sociallogin_decryption_failures_total')
  const createDataKey = async () => {
    const bytes = randomBytes(32)
    const key = createSecretKey(bytes)
    const wrapped = await ring.wrap(bytes)
    dataKeys.remember(wrapped, key)
    return { key, head: encodeHeader(wrapped), key_id: wrapped.key_id, made_at: performance.now() }
  }
  let dataKey = await createDataKey()

  const rotateIfNeeded = async () => {
    try {
      const aged = performance.now() - dataKey.made_at > dataKeySeconds * 1_000
      if (aged || (await ring.current()) !== dataKey.key_id) dataKey = await createDataKey()
    } catch (error) {
      logger?.error({ error }, 'no new data key: the key ring failed; the current data key remains in use')
    }
  }
  const timer = setInterval(rotateIfNeeded, pollSeconds * 1_000).unref()

  const reportFailure = (error: DecryptionError, [storedIn = '']: EncryptionContext) => {
    failures?.inc({ stored_in: storedIn, reason: error.failure })
    logger?.error({ error, stored_in: storedIn }, 'an encrypted value cannot be decrypted')
  }
  const decryptValue = async (encrypted: Buffer, context: EncryptionContext): Promise<string> => {
    const parts = parseEncrypted(encrypted)
    return decipher(parts, await dataKeys.find(parts), context)
  }
  return {
    encrypt(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const { key, head } = dataKey
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(head, context))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text])
    },
    async decrypt(encrypted, context) {
      try {
        return await decryptValue(encrypted, context)
      } catch (error) {
        if (error instanceof DecryptionError) reportFailure(error, context)
        throw error
      }
    },
    async decryptReturned(encrypted, context) {
      try {
        return await decryptValue(encrypted, context)
      } catch (error) {
        if (error instanceof DecryptionError) return undefined
        throw error
      }
    },
    reportFailure,
    head: () => encodeKeyId(dataKey.key_id),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** The first bytes of each value that was encrypted in the current layout under a key of the ring. */
function encodeKeyId(keyId: string): Buffer {
  return Buffer.concat([Buffer.from([layoutVersion, keyId.length]), Buffer.from(keyId, 'latin1')])
}

function encodeHeader({ key_id, wrapped }: WrappedKey): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(wrapped.length)
  return Buffer.concat([encodeKeyId(key_id), length, wrapped])
}

interface EncryptedParts extends WrappedKey {
  /** All bytes before the nonce. */
  readonly head: Buffer
  readonly nonce: Buffer
  readonly tag: Buffer
  readonly text: Buffer
}

function parseEncrypted(encrypted: Buffer): EncryptedParts {
  const [version, idBytes = 0] = encrypted
  const idEnd = 2 + idBytes
  if (version !== layoutVersion || encrypted.length < idEnd + 2)
    throw new DecryptionError('damaged', 'its layout is unknown')
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

function decipher({ head, nonce, tag, text }: EncryptedParts, key: KeyObject, context: EncryptionContext): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(associatedData(head, context))
    .setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new DecryptionError('damaged', 'it was changed or moved', { cause })
  }
}

function associatedData(head: Buffer, context: EncryptionContext): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify(context))])
}

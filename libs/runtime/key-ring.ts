import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError, setting } from './config.ts'
import { DecryptionError } from './decryption-error.ts'
import type { Logger } from './logger.ts'
import { SecretKey } from './secret-key.ts'

/** An encrypted data key, as it is stored with values. */
export interface WrappedKey {
  readonly key_id: string
  /** At most 65535 bytes. */
  readonly wrapped: Buffer
}

/**
 * The key encryption keys, each with an ID of 1–32 characters of A–Z a–z 0–9 _ -. A key management service can implement it:
 * `wrap` and `unwrap` are its Encrypt and Decrypt, called once for each data key.
 */
export interface KeyRing {
  /** ID of the key that wraps. It can change while the process runs. */
  readonly current: () => Promise<string>
  readonly wrap: (dataKey: Buffer) => Promise<WrappedKey>
  /** @throws DecryptionError if the key is missing or the wrapped key was changed; other errors can be retried */
  readonly unwrap: (wrapped: WrappedKey) => Promise<Buffer>
  /** Whether the ring has the key with this ID. */
  readonly has: (keyId: string) => Promise<boolean>
}

const keyId = /^[A-Za-z0-9_-]{1,32}$/

/** Keys of 32 bytes by ID: `<key id>:<base64 of 32 bytes>`, separated by commas or lines. The first wraps, all unwrap. */
export const EncryptionKeys = z.string().transform((text, context) => {
  const keys = new Map<string, Buffer>()
  const reject = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  for (const entry of text.trim().split(/\s*[,\n]\s*/)) {
    const [id = '', encoded = '', ...rest] = entry.split(':')
    if (!keyId.test(id) || keys.has(id) || rest.length > 0)
      return reject('must be <key id>:<base64 of 32 bytes>, each id once, separated by commas or lines')
    const key = SecretKey.safeParse(encoded)
    if (!key.success) return reject(`the key ${id} ${key.error.issues[0]?.message}`)
    keys.set(id, key.data)
  }
  return keys
})
export type EncryptionKeys = z.output<typeof EncryptionKeys>

/** Settings that supply the key ring. */
export const encryptionKeysSettings = {
  ENCRYPTION_KEYS: EncryptionKeys.optional(),
  ENCRYPTION_KEYS_FILE: z.string().optional(),
}
/** Settings of a service that stores personal data. */
export const personalDataSettings = {
  /** Whether personal data is encrypted when it is written. Data in either form can be read. */
  ENCRYPT_PERSONAL_DATA: setting.yes.default(true),
}
type EncryptionKeysConfig = z.output<z.ZodObject<typeof encryptionKeysSettings>>

/**
 * Opens the configured key ring. A file is read again for each use, so that keys can be rotated without a restart. While it
 * cannot be read or is invalid, the last valid keys remain in use.
 *
 * @throws ConfigError
 */
export function openKeyRing(
  { ENCRYPTION_KEYS: keys, ENCRYPTION_KEYS_FILE: path }: EncryptionKeysConfig,
  logger: Logger,
): KeyRing {
  if ((keys === undefined) === (path === undefined))
    throw new ConfigError(['Set either ENCRYPTION_KEYS or ENCRYPTION_KEYS_FILE.'])
  if (keys !== undefined) return keyRing(keys)
  let last = readKeys(String(path))
  let failed = false
  return createRing(() => {
    try {
      last = readKeys(String(path))
      failed = false
    } catch (error) {
      if (!failed)
        logger.error({ error }, 'ENCRYPTION_KEYS_FILE is invalid or unreadable; the last valid keys remain in use')
      failed = true
    }
    return last
  })
}

/** Creates a ring of keys in memory. */
export function keyRing(keys: EncryptionKeys): KeyRing {
  return createRing(() => keys)
}

/** @throws ConfigError, which contains nothing of the file */
function readKeys(path: string): EncryptionKeys {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
    throw new ConfigError([`ENCRYPTION_KEYS_FILE is wrong: the file cannot be read (${code}).`])
  }
  const keys = EncryptionKeys.safeParse(text)
  if (keys.success) return keys.data
  throw new ConfigError(keys.error.issues.map(({ message }) => `ENCRYPTION_KEYS_FILE is wrong: ${message}`))
}

const nonceBytes = 12
const tagBytes = 16

// A wrapped key: nonce (12) · tag (16) · ciphertext.
function createRing(read: () => EncryptionKeys): KeyRing {
  return {
    async current() {
      return wrappingKey(read())[0]
    },
    async wrap(dataKey) {
      const [keyId, key] = wrappingKey(read())
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(keyId))
      const text = Buffer.concat([cipher.update(dataKey), cipher.final()])
      return { key_id: keyId, wrapped: Buffer.concat([nonce, cipher.getAuthTag(), text]) }
    },
    async unwrap({ key_id, wrapped }) {
      const key = read().get(key_id)
      if (key === undefined) throw new DecryptionError('unknown_key', `the key ${key_id} is not in the ring`)
      const textStart = nonceBytes + tagBytes
      if (wrapped.length < textStart) throw new DecryptionError('damaged', 'its layout is unknown')
      const nonce = wrapped.subarray(0, nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
        .setAAD(associatedData(key_id))
        .setAuthTag(wrapped.subarray(nonceBytes, textStart))
      try {
        return Buffer.concat([decipher.update(wrapped.subarray(textStart)), decipher.final()])
      } catch (cause) {
        throw new DecryptionError('damaged', 'it was changed or moved', { cause })
      }
    },
    has: async (keyId) => read().has(keyId),
  }
}

function wrappingKey(keys: EncryptionKeys): readonly [string, Buffer] {
  const [first] = keys
  if (first === undefined) throw new Error('A key ring must have at least one key.')
  return first
}

function associatedData(keyId: string): Buffer {
  return Buffer.from(JSON.stringify(['data key', keyId]))
}

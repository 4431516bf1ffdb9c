import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Registry } from 'prom-client'
import type { KeyRing, WrappedKey } from './key-ring.ts'
import type { Logger } from './logger.ts'
import { createCounter } from './metrics/create.ts'
import { SealBroken } from './seal-broken.ts'
import { createUnwrapped } from './unwrapped-keys.ts'

/** Secrets at rest: envelope encryption with AES-256-GCM, bound to the place they are stored at. */
export interface Sealer {
  /** @param place where the value is stored, e.g. `['credentials', link_id, 'access_token']` */
  readonly seal: (plain: string, place: Place) => Buffer
  /** @throws SealBroken */
  readonly open: (sealed: Buffer, place: Place) => Promise<string>
  /**
   * Opens a value that a client returned, such as a cookie. Returns undefined if it is damaged, without a log line or a
   * metric: any client can damage one.
   */
  readonly openReturned: (sealed: Buffer, place: Place) => Promise<string | undefined>
  /** What every value begins with that is sealed from here on. */
  readonly head: () => Buffer
}

export type Place = readonly (string | number)[]

// Layout 1: version (1) · length of the key id (1) · key id · length of the wrapped key (2) · wrapped key · nonce (12) ·
// tag (16) · ciphertext.
const layout = 1
const nonceBytes = 12
const tagBytes = 16

/** How soon a process seals with a key that has come to its ring. Our choice. */
export const followRingSeconds = 5

/**
 * A process seals with a data key for so long. With random nonces a key is good for 2^32 values (NIST SP 800-38D 8.3), which a
 * process does not reach in a day by a factor of ten even at 5000 a second. Our choice.
 */
const dataKeySeconds = 86_400

/**
 * A sealer on a ring. A process makes a data key, has the ring wrap it, seals with it for a day, and stores the wrapped key in
 * front of each value. A data key for each value would cost a call of a key management service for each read and write; one for
 * everything would lay all open with one key and have to be agreed on between replicas. This way the ring is asked once a day
 * and process, and reading asks it for a data key it has not met; a value can be opened by itself, wherever it was restored
 * from; and who comes by a data key opens what one process sealed in a day.
 *
 * Sealing never waits for the ring: another data key is made in the background, and until it is there the one before serves.
 */
export async function createSealer(
  ring: KeyRing,
  { logger, registry }: { readonly logger?: Logger; readonly registry?: Registry } = {},
): Promise<Sealer & Disposable> {
  const unwrapped = createUnwrapped(ring)
  const broken = registry && createCounter(registry, 'sociallogin_sealed_values_broken_total')
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
  const timer = setInterval(renew, followRingSeconds * 1_000).unref()

  const tellBroken = (error: SealBroken, [keptIn = '']: Place) => {
    broken?.inc({ kept_in: keptIn, by: error.by })
    logger?.error({ error, kept_in: keptIn }, 'a sealed value cannot be opened')
  }
  const open = async (sealed: Buffer, place: Place): Promise<string> => {
    const parts = partsOf(sealed)
    return decipher(parts, await unwrapped.find(parts), place)
  }
  return {
    seal(plain, place) {
      const nonce = randomBytes(nonceBytes)
      const { key, head } = dataKey
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(head, place))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text])
    },
    async open(sealed, place) {
      try {
        return await open(sealed, place)
      } catch (error) {
        if (error instanceof SealBroken) tellBroken(error, place)
        throw error
      }
    },
    async openReturned(sealed, place) {
      try {
        return await open(sealed, place)
      } catch (error) {
        if (error instanceof SealBroken) return undefined
        throw error
      }
    },
    head: () => startOf(dataKey.key_id),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** What each value begins with that was sealed in the present layout under a ring's key. */
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

function partsOf(sealed: Buffer): Parts {
  const [version, idBytes = 0] = sealed
  const idEnd = 2 + idBytes
  if (version !== layout || sealed.length < idEnd + 2) throw new SealBroken('damaged', 'its layout is unknown')
  const headEnd = idEnd + 2 + sealed.readUInt16BE(idEnd)
  const textStart = headEnd + nonceBytes + tagBytes
  if (sealed.length < textStart) throw new SealBroken('damaged', 'its layout is unknown')
  return {
    head: sealed.subarray(0, headEnd),
    key_id: sealed.toString('latin1', 2, idEnd),
    wrapped: sealed.subarray(idEnd + 2, headEnd),
    nonce: sealed.subarray(headEnd, headEnd + nonceBytes),
    tag: sealed.subarray(headEnd + nonceBytes, textStart),
    text: sealed.subarray(textStart),
  }
}

function decipher({ head, nonce, tag, text }: Parts, key: Buffer, place: Place): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(boundTo(head, place))
    .setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new SealBroken('damaged', 'it was changed or moved', { cause })
  }
}

function boundTo(head: Buffer, place: Place): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify(place))])
}

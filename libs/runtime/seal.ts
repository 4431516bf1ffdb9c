import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'

/** Secrets at rest: AES-256-GCM under a named key, bound to the place they are stored at. */
export interface Sealer {
  /** @param place where the value is stored, e.g. `['credentials', 7, identifier, 'access_token']` */
  readonly seal: (plain: string, place: Place) => Buffer
  /** @throws SealBroken when the value was changed, moved, or its key is unknown */
  readonly open: (sealed: Buffer, place: Place) => string
}

export type Place = readonly (string | number)[]

export class SealBroken extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`A sealed value cannot be opened: ${reason}.`, options)
    this.name = 'SealBroken'
  }
}

/** `<key id>:<base64 of 32 bytes>[,…]`; the first key seals, all of them open. */
export const SealKeys = z.string().transform((text, context) => {
  const keys = new Map<string, Buffer>()
  for (const entry of text.split(',')) {
    const [id = '', encoded = ''] = entry.split(':')
    const key = Buffer.from(encoded, 'base64')
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id) || key.length !== 32 || keys.has(id)) {
      context.addIssue({ code: 'custom', message: 'must be <key id>:<base64 of 32 bytes>, separated by commas' })
      return z.NEVER
    }
    keys.set(id, key)
  }
  return keys
})
export type SealKeys = z.output<typeof SealKeys>

// Layout: version (1) · length of the key id (1) · key id · nonce (12) · tag (16) · ciphertext.
const version = 1
const nonce_bytes = 12
const tag_bytes = 16

export function createSealer(keys: SealKeys): Sealer {
  const [newest] = keys
  if (newest === undefined) throw new Error('A sealer needs at least one key.')
  const [sealing_id, sealing_key] = newest

  return {
    seal(plain, place) {
      const nonce = randomBytes(nonce_bytes)
      const head = Buffer.concat([Buffer.from([version, sealing_id.length]), Buffer.from(sealing_id, 'latin1')])
      const cipher = createCipheriv('aes-256-gcm', sealing_key, nonce).setAAD(boundTo(head, place))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text])
    },
    open(sealed, place) {
      const id_end = 2 + (sealed[1] ?? 0)
      const text_start = id_end + nonce_bytes + tag_bytes
      if (sealed[0] !== version || sealed.length < text_start) throw new SealBroken('unknown layout')
      const key = keys.get(sealed.toString('latin1', 2, id_end))
      if (key === undefined) throw new SealBroken('unknown key')
      const nonce = sealed.subarray(id_end, id_end + nonce_bytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tag_bytes })
        .setAAD(boundTo(sealed.subarray(0, id_end), place))
        .setAuthTag(sealed.subarray(id_end + nonce_bytes, text_start))
      try {
        return decipher.update(sealed.subarray(text_start), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new SealBroken('changed or moved', { cause })
      }
    },
  }
}

function boundTo(head: Buffer, place: Place): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify(place))])
}

import { createCipheriv, randomBytes } from 'node:crypto'
import type { Place } from '#runtime'

/** A value as the first version of the service sealed it, which databases may hold. */
export function sealInLayout1(plain: string, place: Place, [key_id, key]: readonly [string, Buffer]): Buffer {
  const head = Buffer.concat([Buffer.from([1, key_id.length]), Buffer.from(key_id)])
  const nonce = randomBytes(12)
  const bound = Buffer.concat([head, Buffer.from(JSON.stringify(place))])
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound)
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([head, nonce, cipher.getAuthTag(), text])
}

import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

/**
 * A service user ID: 40 lower-case hex digits, from 32 bits of Unix time in seconds and 128 random bits, so that IDs sort by
 * creation time and cannot be guessed.
 */
export function newIdentifier(nowMs: number = Date.now()): string {
  const time = Buffer.alloc(4)
  time.writeUInt32BE(Math.floor(nowMs / 1_000))
  return Buffer.concat([time, randomBytes(16)]).toString('hex')
}

/** A UUID that starts with the time (RFC 9562, UUID version 7), so that new rows are next to each other in an index. */
export function newEventId(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0')
  // The variant and the random bits of a UUID are at the same places in versions 4 and 7.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The time at which an event ID was created, in Unix milliseconds. */
export function timeOfEventId(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** An unguessable token of `bytes` random bytes (default 32), base64url. `prefix` identifies its kind. */
export function newToken(prefix = '', bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url')
}

/** SHA-256 of a high-entropy secret, lower-case hex, which is stored instead of the secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** A UUID (RFC 9562, version 8) derived from a text: the same for the same text. */
export function deriveUuid(text: string): string {
  const hex = hashSecret(text)
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** Compares two strings in constant time. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

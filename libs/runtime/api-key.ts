import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'sl_'
const secretBytes = 20
const secretLength = 27
const checksumLength = 6
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** An API key of 36 characters: `sl_`, 160 random bits and their CRC-32, both in base 62. */
export function newApiKey(): string {
  const secret = BigInt(`0x${randomBytes(secretBytes).toString('hex')}`)
  const body = prefix + base62(secret, secretLength)
  return body + checksumOf(body)
}

/** Whether the text has the format of an API key. Detects mistyped, shortened and invented keys without a look-up. */
export function isApiKey(text: string): boolean {
  if (!shape.test(text)) return false
  const body = text.slice(0, -checksumLength)
  return text.endsWith(checksumOf(body))
}

function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), checksumLength)
}

/** Digits 0–9, A–Z, a–z, most significant first, padded with zeros. */
function base62(number: bigint, length: number): string {
  let digits = ''
  for (let rest = number; digits.length < length; rest /= 62n) digits = alphabet.charAt(Number(rest % 62n)) + digits
  return digits
}

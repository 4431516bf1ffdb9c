import { z } from 'zod'

/** 128 bits: in hexadecimal digits, and in base-62 digits. */
const minimumHexDigits = 32
const minimumBase62Digits = 22

/** A random secret that another service issued, with at least 128 bits. Only its hash is stored. */
export const ExistingSecret = z
  .string()
  .max(255)
  .refine(isStrong, 'must have at least 32 hexadecimal digits, or 22 letters and digits, and be random')

function isStrong(secret: string): boolean {
  if (!/^[0-9A-Za-z]+$/.test(secret) || new Set(secret).size < 8) return false
  return secret.length >= (/^[0-9a-f]+$/i.test(secret) ? minimumHexDigits : minimumBase62Digits)
}

/** A client ID that another service issued. */
export const ExistingClientId = z.string().regex(/^[\w.~-]{8,128}$/, 'must have 8 to 128 letters, digits and . _ ~ -')

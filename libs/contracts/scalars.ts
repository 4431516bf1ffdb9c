import { z } from 'zod'

/** Whether Postgres can store the text (no NUL) and UTF-8 can encode it (no unpaired surrogate). */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Free text in an input. */
export const Text = z.string().refine(isStorableText, 'must have no NUL and no unpaired surrogate')

/** Internal number of a site. Services use it among each other; the public APIs never return it. */
export const Site = z.int().positive()

/** Account or site ID: a lower-case slug of at most 31 characters (specification, Info object). */
export const Slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?$/,
    'must be lower-case letters, digits and hyphens, at most 31, with a letter or digit first and last',
  )

/** Service user ID: opaque to callers, at most 40 characters; ours are 40 lower-case hex digits. */
export const Identifier = z
  .string()
  .regex(/^[\x21-\x7e]{1,40}$/, 'must be an identifier as users have it, e.g. 6a1f3c21d2707c4f5e6b18a903fd27c5be4419d0')

/** Customer-side user ID: 1 to 255 characters, ASCII 0x21–0x7E, compared byte for byte (our choice). */
export const PrimaryKey = z.string().regex(/^[\x21-\x7e]{1,255}$/)

/** Provider-side user ID, at most 255 characters without control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression excludes control characters
export const ProviderUserId = Text.regex(/^[^\x00-\x1f\x7f]{1,255}$/u)

/** `YYYY-MM-DDTHH:MM:SSZ`, UTC, whole seconds (specification, Shared conventions). */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'must be a time in UTC such as 2030-01-31T00:00:00Z')

/** A `Timestamp` with up to six fractional digits, used between services to order events. */
export const PreciseTimestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/, 'must be a time in UTC such as 2030-01-31T00:00:00Z')

/** SHA-256, lower-case hex. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** ID of a link between an account and a user. An account that is linked again gets a new ID. Internal. */
export const LinkId = z.uuid()

export const Count = z.int().nonnegative()

import { z } from 'zod'

/** Number of a site within the deployment; names it between services, never on the wire. */
export const Site = z.int().positive()

/** Account or site id of a customer: lower-case slug, at most 31 characters (specification, Info object). */
export const Slug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?$/)

/** Service user ID: opaque to callers, at most 40 characters; ours are 40 lower-case hex digits. */
export const Identifier = z.string().regex(/^[\x21-\x7e]{1,40}$/)

/** Customer-side user ID: 1 to 255 characters, ASCII 0x21–0x7E, compared byte for byte (our choice). */
export const PrimaryKey = z.string().regex(/^[\x21-\x7e]{1,255}$/)

/** Provider-side user ID, at most 255 characters without control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
export const ProviderUserId = z.string().regex(/^[^\x00-\x1f\x7f]{1,255}$/u)

/** `YYYY-MM-DDTHH:MM:SSZ`, UTC, whole seconds (specification, Shared conventions). */
export const Timestamp = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)

/** As `Timestamp`, with up to six digits of the second's fraction: between services, where the order of two events counts. */
export const Moment = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/)

/** SHA-256, lower-case hex. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const Count = z.int().nonnegative()

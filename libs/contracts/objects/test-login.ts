import { z } from 'zod'
import { Identifier, Timestamp } from '../scalars.ts'

/** A login by which a member tries a provider's settings, the way everybody logs in. */
export const TestLogin = z.object({
  /** The `state` of the authorization request that is to be the one; it comes back to the application like any other. */
  state: z.string(),
  /** Until then it can be made, and what came of it be read. */
  expires_at: Timestamp,
})
export type TestLogin = z.infer<typeof TestLogin>

/** What came of a test login: told to nobody but the one who began it, and kept for minutes. */
export const TestLoginOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('waiting') }),
  z.object({
    outcome: z.literal('came'),
    /** The user it was a login of. */
    identifier: Identifier,
    /** What the provider told of the person, by its own names; no tokens. */
    claims: z.record(z.string(), z.unknown()),
  }),
  z.object({
    outcome: z.literal('failed'),
    /** The `error` that the application was told. */
    error: z.string(),
    /** What the provider answered our server instead of tokens, in a sentence; null: it was something else. */
    provider_message: z.string().nullable(),
  }),
])
export type TestLoginOutcome = z.infer<typeof TestLoginOutcome>

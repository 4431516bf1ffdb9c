import { z } from 'zod'
import { Identifier, Timestamp } from '../scalars.ts'

/** A login with which a member tries provider settings. */
export const TestLogin = z.object({
  /** Marks the authorization request of the test login; returned to the application like any other `state`. */
  state: z.string(),
  /** Until then the test login can be run and its outcome be read. */
  expires_at: Timestamp,
})
export type TestLogin = z.infer<typeof TestLogin>

/** The outcome of a test login. Only the member who started it can read it, for some minutes. */
export const TestLoginOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('waiting') }),
  z.object({
    outcome: z.literal('came'),
    /** The user who logged in. */
    identifier: Identifier,
    /** The provider's claims about the end user, by the provider's names; no tokens. */
    claims: z.record(z.string(), z.unknown()),
  }),
  z.object({
    outcome: z.literal('failed'),
    /** The `error` that the application received. */
    error: z.string(),
    /** The provider's error response to our token request, as a sentence; null: the cause is different. */
    provider_message: z.string().nullable(),
  }),
])
export type TestLoginOutcome = z.infer<typeof TestLoginOutcome>

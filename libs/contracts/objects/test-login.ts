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

/** A request of ours to the provider during a test login, without tokens and secrets. */
export const ProviderExchange = z.object({
  method: z.string(),
  /** Without the query. */
  address: z.string(),
  /** Null: the provider did not respond. */
  status: z.int().nullable(),
  /** The fields of the response; `…` stands for what could be secret. */
  fields: z.record(z.string(), z.unknown()),
})
export type ProviderExchange = z.infer<typeof ProviderExchange>

/** What to look at after a test login failed. */
export const LoginAdvice = z.enum([
  ...([
    'client',
    'redirect_uri',
    'scopes',
    'pkce',
    'issuer',
    'nonce',
    'clock',
    'id_token_alg',
    'id_token_missing',
  ] as const),
  ...(['user_id', 'keys', 'unreachable', 'response'] as const),
])
export type LoginAdvice = z.infer<typeof LoginAdvice>

/** In the order in which they were sent. */
const exchanges = z.array(ProviderExchange).default([])

/** The outcome of a test login. Only the member who started it can read it, for some minutes. */
export const TestLoginOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('waiting') }),
  z.object({
    outcome: z.literal('came'),
    /** The user who logged in. */
    identifier: Identifier,
    /** The provider's claims about the end user, by the provider's names; no tokens. */
    claims: z.record(z.string(), z.unknown()),
    exchanges,
  }),
  z.object({
    outcome: z.literal('failed'),
    /** The `error` that the application received. */
    error: z.string(),
    /** The provider's error response to our token request, as a sentence; null: the cause is different. */
    provider_message: z.string().nullable(),
    /** Null: nothing is known. */
    advice: LoginAdvice.nullable().default(null),
    exchanges,
  }),
])
export type TestLoginOutcome = z.infer<typeof TestLoginOutcome>

import { z } from 'zod'
import { Count, Timestamp } from '../scalars.ts'

/** The tokens that a login provider issued for a linked account. The gateway decides which of them the Web API returns. */
export const Credential = z.object({
  access_token: z.string().nullable(),
  /** OAuth 1.0a secret of the microblog provider. */
  access_secret: z.string().nullable(),
  refresh_token: z.string().nullable(),
  expires_at: Timestamp.nullable(),
  /** The tokens of a native app, which only the app refreshes. */
  client_access_token: z.string().nullable().default(null),
  client_access_secret: z.string().nullable().default(null),
  client_refresh_token: z.string().nullable().default(null),
  client_expires_at: Timestamp.nullable().default(null),
  /** When the account was linked, or when its first credential was stored. */
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Credential = z.infer<typeof Credential>

/** The state of a credential, without its tokens. */
export const CredentialFreshness = z.object({
  /** `expired`: the next read refreshes it, if the provider allows; `needs_reauth`: the end user must log in again. */
  state: z.enum(['valid', 'expired', 'needs_reauth']),
  /** Whether the tokens can be refreshed without the end user. */
  can_refresh: z.boolean(),
  /** Null: the tokens do not expire. */
  expires_at: Timestamp.nullable(),
  /** Refreshes that failed since the last one that succeeded. */
  failed_refreshes: Count,
  updated_at: Timestamp,
})
export type CredentialFreshness = z.infer<typeof CredentialFreshness>

import { z } from 'zod'
import { Count, Timestamp } from '../scalars.ts'

/** Tokens a login provider gave for a user, as stored; which of them a provider's credential object shows is the gateway's to say. */
export const Credential = z.object({
  access_token: z.string().nullable(),
  /** OAuth 1.0a secret of the microblog provider. */
  access_secret: z.string().nullable(),
  refresh_token: z.string().nullable(),
  expires_at: Timestamp.nullable(),
  /** Time of the link or of the first credentials. */
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Credential = z.infer<typeof Credential>

/** How a credential stands, without its tokens. */
export const CredentialFreshness = z.object({
  /** `expired`: renewed at the next reading, if the provider does it; `needs_reauth`: only a login of the person helps. */
  state: z.enum(['valid', 'expired', 'needs_reauth']),
  /** Whether it can be renewed without the person. */
  can_refresh: z.boolean(),
  /** Null: its tokens do not end. */
  expires_at: Timestamp.nullable(),
  /** Renewals that failed in a row since the last that succeeded. */
  failed_refreshes: Count,
  updated_at: Timestamp,
})
export type CredentialFreshness = z.infer<typeof CredentialFreshness>

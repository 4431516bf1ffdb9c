import { z } from 'zod'
import { Timestamp } from '../scalars.ts'

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

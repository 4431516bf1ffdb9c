import { z } from 'zod'
import { Count, Text, Timestamp } from '../scalars.ts'

/** A callback address exactly as registered; the rules are those of RFC 9700 2.1 and 4.1.3. */
export const RedirectUri = Text.min(1).max(2_048)

/** What a client can be told. */
export const clientSettings = {
  name: Text.trim().min(1).max(100),
  /** Registered addresses exactly as requests must send them. */
  redirect_uris: z.array(RedirectUri).min(1).max(40),
  /** Addresses to redirect to after logout, exactly as requests must send them (RP-Initiated Logout 1.0, 3.1). */
  post_logout_redirect_uris: z.array(RedirectUri).max(40),
  /** The flows it may use. */
  response_types: z.array(z.enum(['code', 'id_token'])).min(1),
  pkce: z.enum(['optional', 'required', 'S256']),
  id_token_alg: z.enum(['RS256', 'ES256']),
} as const

/** An application that asks for logins, as OAuth has it. */
export const Client = z.object({
  client_id: z.string(),
  kind: z.enum(['confidential', 'public']),
  ...clientSettings,
  /** Live secrets, at most two, oldest first; none of a public client. */
  secrets: z.array(z.object({ secret_id: z.string(), created_at: Timestamp })),
  created_at: Timestamp,
  revision: Count,
})
export type Client = z.infer<typeof Client>

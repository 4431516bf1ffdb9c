import { z } from 'zod'
import { Count, Text, Timestamp } from '../scalars.ts'
import { metadataParts } from './metadata.ts'

/** A redirect URI exactly as registered, by the rules of RFC 9700 2.1 and 4.1.3. */
export const RedirectUri = Text.min(1).max(2_048)

/** The settings of a client. */
export const clientSettings = {
  name: Text.trim().min(1).max(100),
  /** Requests must send a registered URI exactly. */
  redirect_uris: z.array(RedirectUri).min(1).max(40),
  /** URIs to redirect to after logout; requests must send them exactly (RP-Initiated Logout 1.0, 3.1). */
  post_logout_redirect_uris: z.array(RedirectUri).max(40),
  /**
   * Site logins may also return to any https URL in the site's domains, with any path and query. Without domains, there is
   * no such URL.
   */
  callback_by_domain: z.boolean(),
  /** The client may exchange tokens of login providers for ours (RFC 8693). */
  token_exchange: z.boolean(),
  /** The parts of the user's metadata that are claims in the ID Token and in userinfo. */
  metadata_claims: z.array(z.enum(metadataParts)).max(metadataParts.length),
  /** Whether the user's answers to the documents of the site are the claim `consents` in the ID Token and in userinfo. */
  consents_claim: z.boolean(),
  /** Whether applications can request the scope with which they read and change `user_metadata` of the user who logged in. */
  user_metadata_write: z.boolean(),
  /** The flows that the client may use. */
  response_types: z.array(z.enum(['code', 'id_token'])).min(1),
  pkce: z.enum(['optional', 'required', 'S256']),
  id_token_alg: z.enum(['RS256', 'ES256']),
} as const

/** An OAuth client: an application that receives logins. */
export const Client = z.object({
  client_id: z.string(),
  kind: z.enum(['confidential', 'public']),
  ...clientSettings,
  callback_by_domain: clientSettings.callback_by_domain.default(false),
  token_exchange: clientSettings.token_exchange.default(false),
  metadata_claims: clientSettings.metadata_claims.default([]),
  consents_claim: clientSettings.consents_claim.default(false),
  user_metadata_write: clientSettings.user_metadata_write.default(false),
  /** Active secrets, at most two, oldest first. Public clients have none. */
  secrets: z.array(z.object({ secret_id: z.string(), created_at: Timestamp })),
  created_at: Timestamp,
  revision: Count,
})
export type Client = z.infer<typeof Client>

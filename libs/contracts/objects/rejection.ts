import { z } from 'zod'

/** Why a request to the authorization or the token endpoint was rejected, by stable names; shown to the site's members only. */
export const rejectionReasons = [
  // Shown on an error page: without a valid redirect address there is nowhere to redirect to.
  'client_id_invalid',
  'redirect_uri_invalid',
  'provider_invalid',
  'provider_unavailable',
  'no_provider',
  'site_invalid',
  'callback_invalid',
  'parameters_malformed',
  // Sent to the application's redirect address.
  'sent_to_application',
  // Of the token endpoint.
  'request_invalid',
  'client_unknown',
  'client_secret_missing',
  'client_secret_wrong',
  'too_many_failures',
  'code_invalid',
  'code_of_another_redirect_uri',
  'code_verifier_wrong',
  'user_deleted',
  'other',
] as const
export const RejectionReason = z.enum(rejectionReasons)
export type RejectionReason = z.infer<typeof RejectionReason>

/** What is recorded of a rejected request: no state, nonce, code, token, hint, caller's address, nor value of a query. */
export const rejectionFields = {
  request_id: z.uuid(),
  endpoint: z.enum(['authorization', 'token']),
  /** As it was received. */
  client_id: z.string().max(64).nullable(),
  /** As it was received, without the values of its query; for a site's own login page, its callback. */
  redirect_uri: z.string().max(512).nullable(),
  /** The client's at that time, without the values of their queries, at most ten; empty if it is another site's client. */
  registered_redirect_uris: z.array(z.string().max(512)).max(10),
  /** As sent to the caller or the application; null: an error page was shown. */
  error: z.string().max(64).nullable(),
  error_description: z.string().max(255).nullable(),
  reason: RejectionReason,
} as const

import { z } from 'zod'

/** Stable names of the reasons why an authorization or token request was rejected. Shown to the site's members only. */
export const rejectionReasons = [
  // Shown on an error page, because there is no valid redirect URI.
  'client_id_invalid',
  'redirect_uri_invalid',
  'provider_invalid',
  'provider_unavailable',
  'no_provider',
  'site_invalid',
  'callback_invalid',
  'parameters_malformed',
  'too_many_logins',
  // Sent to the application's redirect URI.
  'sent_to_application',
  // Token endpoint.
  'request_invalid',
  'client_unknown',
  'client_secret_missing',
  'client_secret_wrong',
  'too_many_failures',
  'code_invalid',
  'code_of_another_redirect_uri',
  'code_verifier_wrong',
  'user_deleted',
  'user_blocked',
  // Logins of native apps.
  'native_login_rejected',
  'other',
] as const
export const RejectionReason = z.enum(rejectionReasons)
export type RejectionReason = z.infer<typeof RejectionReason>

/** The recorded fields of a rejected request: no state, nonce, code, token, hint, caller's address or query value. */
export const rejectionFields = {
  request_id: z.uuid(),
  endpoint: z.enum(['authorization', 'token', 'native_login']),
  /** As received. */
  client_id: z.string().max(128).nullable(),
  /** As received, without query values; for a site login, its callback. */
  redirect_uri: z.string().max(512).nullable(),
  /** The client's at that time, without query values, at most ten; empty for another site's client. */
  registered_redirect_uris: z.array(z.string().max(512)).max(10),
  /** As sent to the caller or the application; null: the end user saw an error page. */
  error: z.string().max(64).nullable(),
  error_description: z.string().max(255).nullable(),
  reason: RejectionReason,
} as const

interface OAuthErrorText {
  readonly status: number
  /** `error` of the response (RFC 6749 5.2, RFC 6750 3.1, RFC 7009 2.2.1). */
  readonly error: string
  /** `error_description` of the response; `{parameter}` is the name of a parameter. */
  readonly description: string
}

/** All errors of the endpoints for programs. docs/use/errors.md lists them with cause and action. */
export const oauthErrors = {
  // Token and revocation endpoint.
  parameter_missing: { status: 400, error: 'invalid_request', description: '{parameter} is required.' },
  parameter_repeated: { status: 400, error: 'invalid_request', description: 'A parameter is repeated.' },
  form_unreadable: { status: 400, error: 'invalid_request', description: 'The form cannot be read.' },
  parameters_in_url: {
    status: 400,
    error: 'invalid_request',
    description: 'Parameters must be in the form, not in the URL.',
  },
  two_client_authentications: {
    status: 400,
    error: 'invalid_request',
    description: 'More than one client authentication method is used.',
  },
  grant_type_unsupported: { status: 400, error: 'unsupported_grant_type', description: 'Unsupported grant_type.' },
  client_invalid: { status: 401, error: 'invalid_client', description: 'client_id or client_secret is invalid.' },
  too_many_client_failures: {
    status: 429,
    error: 'temporarily_unavailable',
    description: 'Client authentication failed too often.',
  },
  code_invalid: { status: 400, error: 'invalid_grant', description: 'Authorization code is invalid.' },
  token_type_unsupported: {
    status: 400,
    error: 'unsupported_token_type',
    description: 'Only access tokens can be revoked.',
  },
  token_of_another_client: {
    status: 400,
    error: 'invalid_grant',
    description: 'The token was issued to another client.',
  },

  // Logins of native apps.
  login_address_unknown: {
    status: 404,
    error: 'invalid_request',
    description: 'No enabled login provider of a site has this address.',
  },
  native_login_disabled: {
    status: 400,
    error: 'unauthorized_client',
    description:
      'The site does not accept logins of native apps with this provider. Enter the client IDs of the apps in the provider settings.',
  },
  body_unreadable: {
    status: 400,
    error: 'invalid_request',
    description: 'Send JSON of at most 16384 bytes, with Content-Type: application/json.',
  },
  field_invalid: { status: 400, error: 'invalid_request', description: '{parameter} is invalid or unknown.' },
  access_token_not_accepted: {
    status: 400,
    error: 'invalid_request',
    description: 'Access tokens of this provider do not identify a user. Send the ID Token only.',
  },
  access_secret_invalid: {
    status: 400,
    error: 'invalid_request',
    description: 'Send access_secret with access_token for X, and not for other providers.',
  },
  id_token_required: {
    status: 400,
    error: 'invalid_request',
    description: 'This provider does not say which client an access token was issued to. Send the ID Token too.',
  },
  id_token_invalid: {
    status: 400,
    error: 'invalid_request',
    description: 'The ID Token was not issued by this provider, or was changed.',
  },
  id_token_expired: {
    status: 400,
    error: 'invalid_request',
    description: 'The ID Token has expired. Get a new one from the SDK.',
  },
  id_token_used: {
    status: 400,
    error: 'invalid_request',
    description: 'The ID Token was used before. Get a new one from the SDK for each login.',
  },
  nonce_wrong: {
    status: 400,
    error: 'invalid_request',
    description: 'nonce does not match the ID Token. Send the value that the app generated for this login.',
  },
  app_client_unknown: {
    status: 400,
    error: 'invalid_request',
    description: 'The token was issued to a client that the provider settings do not list. Enter its client ID there.',
  },
  app_access_token_invalid: {
    status: 400,
    error: 'invalid_request',
    description: 'The provider rejected the access token. Get a new one from the SDK.',
  },
  app_tokens_differ: {
    status: 400,
    error: 'invalid_request',
    description: 'The access token and the ID Token do not belong together. Send both from the same login.',
  },
  association_token_invalid: {
    status: 400,
    error: 'invalid_request',
    description: 'The association token is invalid or has expired. Request a new one.',
  },
  provider_already_linked: {
    status: 409,
    error: 'invalid_request',
    description: 'The user has linked an account of this provider. Unlink it first.',
  },
  account_of_another_user: {
    status: 409,
    error: 'invalid_request',
    description: 'The account belongs to another user of the site.',
  },
  consent_required: {
    status: 400,
    error: 'consent_required',
    description: 'The user has to accept {parameter}. Ask the user, and send accepted_documents.',
  },
  user_blocked: { status: 403, error: 'access_denied', description: 'The user is blocked.' },
  too_many_logins: { status: 429, error: 'temporarily_unavailable', description: 'Too many logins from this address.' },
  provider_unavailable: {
    status: 503,
    error: 'temporarily_unavailable',
    description: 'The login provider does not respond as it should. Try again later.',
  },

  // Token exchange.
  grant_not_allowed: {
    status: 400,
    error: 'unauthorized_client',
    description: 'The client may not use this grant_type.',
  },
  subject_token_type_unsupported: {
    status: 400,
    error: 'invalid_request',
    description: 'subject_token_type must be that of an access token or ID Token.',
  },
  subject_issuer_unknown: {
    status: 400,
    error: 'invalid_request',
    description: 'subject_issuer must be an enabled login provider of the site, named as in the Web API.',
  },
  requested_token_type_unsupported: {
    status: 400,
    error: 'invalid_request',
    description: 'requested_token_type must be that of an access token.',
  },
  actor_token_unsupported: { status: 400, error: 'invalid_request', description: 'actor_token is not supported.' },
  target_unsupported: { status: 400, error: 'invalid_target', description: 'resource and audience are not supported.' },
  scope_invalid: { status: 400, error: 'invalid_scope', description: 'scope is invalid.' },

  // Userinfo.
  access_token_missing: { status: 401, error: 'invalid_token', description: 'An access token is required.' },
  access_token_invalid: { status: 401, error: 'invalid_token', description: 'The access token is invalid.' },
  access_token_in_url: { status: 400, error: 'invalid_request', description: 'Parameters must not be in the URL.' },
  access_token_repeated: { status: 400, error: 'invalid_request', description: 'The access token is sent twice.' },

  // Metadata of the user. `{parameter}` is what is wrong with the body.
  scope_insufficient: {
    status: 403,
    error: 'insufficient_scope',
    description: 'The access token needs the scope user_metadata:write, which the settings of the client must allow.',
  },
  patch_invalid: { status: 400, error: 'invalid_request', description: 'The patch is invalid. {parameter}' },
  patch_type_unsupported: {
    status: 415,
    error: 'invalid_request',
    description: 'Send a JSON Merge Patch, with Content-Type: application/merge-patch+json.',
  },
  if_match_invalid: {
    status: 400,
    error: 'invalid_request',
    description: 'Send one ETag of the metadata in If-Match.',
  },
  metadata_changed: {
    status: 412,
    error: 'invalid_request',
    description: 'The metadata no longer has the ETag in If-Match. Read it, and send the change again.',
  },
  metadata_too_large: {
    status: 400,
    error: 'invalid_request',
    description: 'The metadata would be larger than 8192 bytes. Delete members with null.',
  },
  metadata_invalid: {
    status: 400,
    error: 'invalid_request',
    description: 'user_metadata {parameter}.',
  },
  too_many_changes: {
    status: 429,
    error: 'temporarily_unavailable',
    description: 'The metadata of the user was changed too often.',
  },

  // Login buttons.
  client_id_invalid: { status: 400, error: 'invalid_request', description: 'client_id is invalid.' },

  // Webhooks of login providers.
  webhook_unknown: { status: 404, error: 'invalid_request', description: 'No webhook is configured at this address.' },
  webhook_signature_wrong: {
    status: 401,
    error: 'invalid_request',
    description: 'X-Line-Signature does not match the body and the channel secret.',
  },
  webhook_malformed: {
    status: 400,
    error: 'invalid_request',
    description: 'The body is not a list of events, or it is too long.',
  },
  webhook_unverified: { status: 400, error: 'invalid_request', description: 'The webhook cannot be verified.' },

  // All of them.
  method_not_allowed: { status: 405, error: 'invalid_request', description: 'Method not allowed.' },
  internal_error: { status: 500, error: 'server_error', description: 'Internal server error.' },
  host_unknown: { status: 421, error: 'invalid_request', description: 'No site has this host.' },
  unavailable: { status: 503, error: 'temporarily_unavailable', description: 'Service temporarily unavailable.' },
} as const satisfies Record<string, OAuthErrorText>

export type OAuthErrorName = keyof typeof oauthErrors

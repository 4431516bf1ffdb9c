import type { RejectionReason } from '../objects/rejection.ts'

/** Explains each reason to developers: what happened, why, and what to do. The console has the same texts in other languages. */
export const rejectionExplanations: Readonly<Record<RejectionReason, string>> = {
  client_id_invalid:
    'No client of this site has this client_id. Compare it with the client ID on the client’s page. The end user saw an error page.',
  redirect_uri_invalid:
    'The redirect_uri is not registered for the client. It must match a registered URI exactly. Correct the request, or add the URI to the client. The end user saw an error page.',
  provider_invalid:
    'The authorization URL does not contain a login provider that is set up and enabled for the site. Copy the address from the provider’s page.',
  provider_unavailable: 'Logins with this provider are not possible here. Choose another login provider.',
  no_provider: 'The site has no login provider that is set up and enabled. Set one up under Login providers.',
  site_invalid:
    'No site with this login provider exists at this address. Check the account, site ID and provider in it.',
  callback_invalid:
    'The callback, or callback_if_failed, is not a redirect URI of one client of the site. Add it to the client’s redirect URIs, or allow callbacks by domain for the client and check the domains of the site. The end user saw an error page.',
  parameters_malformed:
    'The parameters could not be read because they are badly escaped, repeated, or too long. Build the request with a library that encodes parameters.',
  too_many_logins:
    'More logins were started from this address within a minute than one address may start. If many end users share it, ask the operator to raise LOGINS_PER_ADDRESS. The end user saw an error page.',
  sent_to_application:
    'The application received the error at its redirect URI. error and error_description say what to correct.',
  request_invalid:
    'The token request does not conform to RFC 6749. The caller received error and error_description, which say what to correct.',
  client_unknown: 'No client has this client_id. Compare it with the client ID on the client’s page.',
  client_secret_missing:
    'The client is confidential, but the request had no client secret or one that could not be read. Send client_id and client_secret with HTTP Basic or in the form.',
  client_secret_wrong:
    'The client secret does not match any active secret of the client. Check that the newest secret is deployed and was not revoked. If it is lost, issue another one.',
  too_many_failures:
    'Authentication of the client failed too often from this address. Correct the secret. Requests with the right secret are accepted immediately.',
  code_invalid:
    'The authorization code was used before, is older than a minute, belongs to another client, or was never issued. Exchange each code once, immediately after the login. If a code is exchanged twice, its tokens are revoked.',
  code_of_another_redirect_uri:
    'The redirect_uri differs from that of the authorization request for which the code was issued. Send exactly the same value.',
  code_verifier_wrong:
    'The code_verifier is missing or does not match the code_challenge of the authorization request. Keep the verifier of each login until its code is exchanged.',
  user_deleted: 'The user was deleted after the login. Nothing needs to be corrected.',
  user_blocked:
    'The user is blocked: by an administrator, the Web API or an import. The user’s page says why and until when. Unblock the user to let them log in.',
  native_login_rejected:
    'The tokens that a native app sent do not prove a login. The app received error and error_description, which say what to correct.',
  other: 'The request was rejected. The page that the end user saw says why.',
}

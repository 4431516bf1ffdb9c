import { known_scopes } from './request.ts'
import type { Portal } from './state.ts'

/** The discovery document. Whether the real one has PKCE methods is not documented, so that this one has none. */
export function metadata({ issuer }: Portal): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorization`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/attribute`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: known_scopes,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    display_values_supported: ['page', 'popup', 'touch'],
    claims_supported: [
      ...['sub', 'name', 'given_name', 'family_name', 'email', 'email_verified', 'gender', 'birthdate', 'zoneinfo'],
      ...['locale', 'address', 'nickname', 'picture', 'iss', 'aud', 'exp', 'iat'],
    ],
  }
}

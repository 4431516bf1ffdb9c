import type { Messaging } from './state.ts'

/**
 * The discovery document. It names ES256 alone, the algorithm of native logins: who takes it at its word refuses every ID
 * Token of a web login. That the real document does so is assumed by several projects, not confirmed.
 */
export function metadata({ issuer }: Messaging): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/v2.1/authorize`,
    token_endpoint: `${issuer}/oauth2/v2.1/token`,
    revocation_endpoint: `${issuer}/oauth2/v2.1/revoke`,
    userinfo_endpoint: `${issuer}/oauth2/v2.1/userinfo`,
    jwks_uri: `${issuer}/oauth2/v2.1/certs`,
    scopes_supported: ['openid', 'profile', 'email'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  }
}

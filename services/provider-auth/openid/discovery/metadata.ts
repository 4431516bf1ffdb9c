import { metadataParts } from '#contracts'
import { tokenExchangeGrant } from '../../domain/grant-types.ts'
import { responseModes } from '../../domain/response-mode.ts'
import { scopes } from '../../domain/scopes.ts'
import { signingAlgorithms } from '../../domain/signing-algorithms.ts'
import { userMetadataPath } from '../user-metadata/user-metadata-path.ts'

const clientAuthentication = ['client_secret_basic', 'client_secret_post', 'none']

/** The metadata of this OpenID Provider (OpenID Connect Discovery 3, RFC 8414 2, RFC 9207 3). */
export function providerMetadata(authUrl: string, webApiUrl: string | undefined, languages: readonly string[]) {
  return {
    issuer: authUrl,
    ...(webApiUrl !== undefined && { service_documentation: `${webApiUrl}/docs` }),
    authorization_endpoint: `${authUrl}/oauth2/authorize`,
    token_endpoint: `${authUrl}/oauth2/token`,
    userinfo_endpoint: `${authUrl}/oauth2/userinfo`,
    // Ours: the endpoint of `user_metadata`.
    user_metadata_endpoint: `${authUrl}${userMetadataPath}`,
    revocation_endpoint: `${authUrl}/oauth2/revoke`,
    end_session_endpoint: `${authUrl}/oauth2/logout`,
    jwks_uri: `${authUrl}/oauth2/jwks`,
    response_types_supported: ['code', 'id_token'],
    response_modes_supported: responseModes,
    grant_types_supported: ['authorization_code', 'implicit', tokenExchangeGrant],
    scopes_supported: scopes,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: signingAlgorithms,
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    code_challenge_methods_supported: ['plain', 'S256'],
    claim_types_supported: ['normal'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'nonce',
      'auth_time',
      'at_hash',
      'primary_key',
      'provider',
      'provider_uid',
      ...metadataParts,
      'name',
      'given_name',
      'family_name',
      'middle_name',
      'nickname',
      'preferred_username',
      'name#ja-Kana-JP',
      'given_name#ja-Kana-JP',
      'family_name#ja-Kana-JP',
      'middle_name#ja-Kana-JP',
      'name#ja-Hani-JP',
      'given_name#ja-Hani-JP',
      'family_name#ja-Hani-JP',
      'middle_name#ja-Hani-JP',
      'picture',
      'website',
      'gender',
      'birthdate',
      'updated_at',
      'email',
      'email_verified',
      'address',
      'phone_number',
      'phone_number_verified',
    ],
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: ['none', 'login', 'select_account', 'consent'],
    ui_locales_supported: languages,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}

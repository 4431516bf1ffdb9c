import { Configuration, clockTolerance } from 'openid-client'
import type { OidcProtocol } from '#contracts'
import { clockToleranceSeconds } from '#http'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { AdapterDeps } from './adapter.ts'
import { createClientAuthentication } from './client-authentication.ts'

/**
 * The provider's configuration for openid-client, from our own data: discovery documents of some providers have been
 * wrong.
 */
export function createOidcConfiguration(protocol: OidcProtocol, settings: SiteProviderSettings): Configuration {
  const { issuer, endpoints, idToken, clockToleranceSeconds: tolerance = clockToleranceSeconds } = protocol
  const server = {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    ...(endpoints.userinfo !== undefined && { userinfo_endpoint: endpoints.userinfo }),
    ...(endpoints.endSession !== undefined && { end_session_endpoint: endpoints.endSession }),
  }
  const client = { id_token_signed_response_alg: idToken.alg, [clockTolerance]: tolerance }
  const authentication = createClientAuthentication(protocol, settings)
  return new Configuration(server, settings.client_id, client, authentication)
}

/** The protocol at the provider's addresses, or at those of the simulator. */
export function mapAddresses(protocol: OidcProtocol, toAddress: AdapterDeps['toAddress']): OidcProtocol {
  const { issuer, endpoints, idToken, additionalClaims, friendship } = protocol
  const { authorization, token, userinfo, endSession } = endpoints
  return {
    ...protocol,
    issuer: toAddress(issuer),
    endpoints: {
      authorization: toAddress(authorization),
      token: toAddress(token),
      ...(userinfo !== undefined && { userinfo: toAddress(userinfo) }),
      ...(endSession !== undefined && { endSession: toAddress(endSession) }),
    },
    idToken: idToken.alg === 'HS256' ? idToken : { ...idToken, jwks: toAddress(idToken.jwks) },
    ...(additionalClaims && {
      additionalClaims: { ...additionalClaims, endpoint: toAddress(additionalClaims.endpoint) },
    }),
    ...(friendship && { friendship: { ...friendship, endpoint: toAddress(friendship.endpoint) } }),
  }
}

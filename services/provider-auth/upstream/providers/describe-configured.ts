import {
  type LoginProtocol,
  listSuppliedItems,
  type ProviderDefinition,
  type ProviderEndpoints,
  type TokenRevocation,
} from '#contracts'
import type { LoginDescription } from './adapter.ts'

type Definition<T extends 'oidc' | 'oauth2'> = Extract<ProviderDefinition['protocol'], { readonly type: T }>

/** Describes a provider that a site configured as built-in providers are described. */
export function describeConfigured({ protocol }: ProviderDefinition, endpoints: ProviderEndpoints): LoginDescription {
  const supplies = listSuppliedItems(protocol.claims)
  if (protocol.type === 'oauth2') return { supplies, protocols: [describeOAuth2(protocol, endpoints)] }
  const described = { supplies, protocols: [describeOidc(protocol, endpoints)] } as const
  const { id_token_alg: alg, issuer } = protocol
  const { jwks } = endpoints
  // Apps do not have the client secret that HS256 needs.
  return alg === 'HS256' || jwks === undefined
    ? described
    : { ...described, native: { idToken: { alg, jwks, issuer } } }
}

function describeOidc(
  protocol: Definition<'oidc'>,
  { authorization, token, userinfo, jwks = '', revocation, end_session: endSession }: ProviderEndpoints,
): LoginProtocol {
  const { id_token_alg: alg } = protocol
  return {
    type: 'oidc',
    issuer: protocol.issuer,
    endpoints: {
      authorization,
      token,
      ...(userinfo !== undefined && { userinfo }),
      ...(protocol.ends_session && endSession !== undefined && { endSession }),
    },
    idToken: alg === 'HS256' ? { alg } : { alg, jwks },
    clockToleranceSeconds: protocol.clock_tolerance_seconds,
    ...(!protocol.nonce && { omitsNonce: true }),
    ...(protocol.response_mode === 'form_post' && { usesFormPost: true }),
    ...(protocol.max_age && { supportsMaxAge: true }),
    ...describeCommon(protocol, revocation),
    prompts: Object.fromEntries(protocol.prompts.map((prompt) => [prompt, { prompt }])),
  }
}

function describeOAuth2(
  protocol: Definition<'oauth2'>,
  { authorization, token, refresh, userinfo = '', revocation }: ProviderEndpoints,
): LoginProtocol {
  const { errors, access_token_parameter: accessTokenParameter, user_id: userId, claims } = protocol
  return {
    type: 'oauth2',
    // Only names the provider to the library.
    issuer: new URL(authorization).origin,
    endpoints: { authorization, token, ...(refresh !== undefined && { refresh }) },
    ...(protocol.scope_separator === ',' && { scopeSeparator: ',' }),
    hasLooseTokenResponses: true,
    clientParameters: protocol.client_parameters,
    ...(protocol.token_method === 'GET' && { requestsTokensByGet: true }),
    ...(accessTokenParameter !== undefined && { accessTokenParameter }),
    user: { endpoint: userinfo, userId, allowsNumericId: true, claims, tokenParameters: protocol.token_parameters },
    resources: protocol.resources,
    ...(errors && { errors: { code: errors.code, endingGrant: errors.ending_grant } }),
    ...describeCommon(protocol, revocation),
    prompts: {},
  }
}

function describeCommon(
  { client_authentication, pkce, parameters, passed_parameters, scopes, claims }: ProviderDefinition['protocol'],
  revocation: string | undefined,
) {
  const revokes: { readonly revocation?: TokenRevocation } =
    revocation === undefined ? {} : { revocation: { endpoint: revocation, tokens: 'both' } }
  return {
    clientAuthentication: client_authentication,
    usesPkce: pkce,
    parameters,
    passedParameters: Object.fromEntries(passed_parameters.map((name) => [name, {}])),
    scopes,
    claims,
    ...revokes,
  }
}

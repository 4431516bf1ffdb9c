import { z } from 'zod'
import type { ProviderDefinition, ProviderEndpoints, RejectedField } from '#contracts'
import { parseJson } from '#http'
import { classifyRequestError } from '#http-client'
import type { DiscoverEndpoints } from '../../domain/provider-client.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { findKeySetProblem } from './check-key-set.ts'

type OidcDefinition = Extract<ProviderDefinition['protocol'], { readonly type: 'oidc' }>

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  revocation_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  response_types_supported: z.array(z.string()).optional(),
})
type Metadata = z.infer<typeof Metadata>

/**
 * @param toAddress maps an address to the simulator, if it replaces the provider
 * @param isUrlAllowed whether a URL can be used, as far as it shows
 */
export function createDiscovery({
  fetch,
  toAddress,
  isUrlAllowed,
}: {
  readonly fetch: FetchFromProvider
  readonly toAddress: (address: string) => string
  readonly isUrlAllowed: (url: string) => boolean
}): DiscoverEndpoints {
  const rejectAddresses = (
    field: 'endpoints' | 'resources',
    addresses: Readonly<Record<string, string | undefined>>,
  ): RejectedField[] =>
    Object.entries(addresses).flatMap(([name, address]) =>
      address === undefined || isUrlAllowed(address)
        ? []
        : [{ field: toField(`${field}.${name}`), reason: notPublic(address) }],
    )

  return async ({ protocol }) => {
    if (protocol.type === 'oauth2') {
      const { user, ...endpoints } = protocol.endpoints
      const rejected = [
        ...rejectAddresses('endpoints', protocol.endpoints),
        ...rejectAddresses('resources', protocol.resources),
      ]
      return rejected.length > 0 ? { rejected } : { endpoints: { ...endpoints, userinfo: user } }
    }
    const { issuer, discovery, endpoints: entered } = protocol
    const main = [['issuer', issuer] as const, ['discovery', discovery ?? issuer] as const]
    const hidden = main.find(([, address]) => !isUrlAllowed(address))
    if (hidden) return { rejected: [{ field: toField(hidden[0]), reason: notPublic(hidden[1]) }] }
    const { authorization, token, jwks } = entered
    if (authorization !== undefined && token !== undefined && jwks !== undefined) {
      const rejected = [...rejectAddresses('endpoints', entered), ...rejectLogout(protocol, entered)]
      return rejected.length > 0 ? { rejected } : { endpoints: withEntered({ authorization, token }, entered) }
    }
    const fetchMapped: FetchFromProvider = (address, request) => fetch(toAddress(address), request)
    const metadata = await readMetadata(protocol, fetchMapped)
    if ('reason' in metadata)
      return {
        rejected: [{ field: toField(discovery === undefined ? 'issuer' : 'discovery'), reason: metadata.reason }],
      }
    const endpoints = withEntered(toEndpoints(metadata), entered)
    const rejected = [
      ...findContradictions(protocol, metadata),
      ...rejectAddresses('endpoints', endpoints),
      ...rejectLogout(protocol, endpoints),
    ]
    if (rejected.length > 0) return { rejected }
    const { id_token_alg: alg } = protocol
    const problem = alg === 'HS256' ? undefined : await findKeySetProblem(endpoints.jwks ?? '', alg, fetchMapped)
    return problem === undefined ? { endpoints } : { rejected: [{ field: toField('endpoints.jwks'), reason: problem }] }
  }
}

function rejectLogout(
  { ends_session }: OidcDefinition,
  { end_session }: Pick<ProviderEndpoints, 'end_session'>,
): RejectedField[] {
  const reason = 'needs the endpoint end_session, which the discovery document does not have'
  return ends_session && end_session === undefined ? [{ field: toField('ends_session'), reason }] : []
}

function toField(name: string): string {
  return `definition.protocol.${name}`
}

function notPublic(address: string): string {
  return `is ${address}, which is not a public https address. Operators can allow private ones`
}

/** Reads and parses the discovery document, or says why that is not possible. */
async function readMetadata(
  { issuer, discovery }: Pick<OidcDefinition, 'issuer' | 'discovery'>,
  fetch: FetchFromProvider,
): Promise<Metadata | { readonly reason: string }> {
  // An issuer can end with a slash, which the document's address has once (OpenID Connect Discovery 4).
  const address = discovery ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  let response: Response
  try {
    response = await fetch(address, { method: 'GET', headers: { accept: 'application/json' } })
  } catch (error) {
    return { reason: `has no discovery document: ${address} could not be read (${classifyRequestError(error)})` }
  }
  if (response.status !== 200) return { reason: `has no discovery document: ${address} returned ${response.status}` }
  const parsed = Metadata.safeParse(parseJson(await response.text()))
  if (!parsed.success) {
    const names = parsed.error.issues.map(({ path }) => path.join('.')).filter(Boolean)
    return {
      reason: `has an unusable discovery document: ${names.length > 0 ? `${names.join(', ')} is missing or invalid` : 'it is no JSON object'}`,
    }
  }
  if (withoutNames(parsed.data.issuer) !== withoutNames(issuer))
    return { reason: `differs from the issuer in its discovery document, which is ${parsed.data.issuer}` }
  return parsed.data
}

/** The issuer without the name of what stands for a tenant: documents call it as they like. */
function withoutNames(issuer: string): string {
  return issuer.replace(/\{\w+\}/g, '{}')
}

function toEndpoints(metadata: Metadata): ProviderEndpoints {
  const { userinfo_endpoint: userinfo, revocation_endpoint: revocation, end_session_endpoint: endSession } = metadata
  return {
    authorization: metadata.authorization_endpoint,
    token: metadata.token_endpoint,
    jwks: metadata.jwks_uri,
    ...(userinfo !== undefined && { userinfo }),
    ...(revocation !== undefined && { revocation }),
    ...(endSession !== undefined && { end_session: endSession }),
  }
}

/** Addresses of the definition replace the others. */
function withEntered(found: ProviderEndpoints, entered: OidcDefinition['endpoints']): ProviderEndpoints {
  const given = Object.entries(entered).filter(([, address]) => address !== undefined)
  return { ...found, ...Object.fromEntries(given) }
}

/** What the definition requires and the discovery document excludes. */
function findContradictions(protocol: OidcDefinition, metadata: Metadata): RejectedField[] {
  const check = (field: string, wanted: string, supported: readonly string[] | undefined): RejectedField[] =>
    supported === undefined || supported.includes(wanted)
      ? []
      : [{ field: toField(field), reason: `must be one that the provider supports: ${supported.join(', ')}` }]
  // Without the list, the method is `client_secret_basic` (OpenID Connect Discovery 3).
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return [
    ...check('id_token_alg', protocol.id_token_alg, metadata.id_token_signing_alg_values_supported),
    ...check('client_authentication', protocol.client_authentication, methods),
    ...(protocol.pkce ? check('pkce', 'S256', metadata.code_challenge_methods_supported) : []),
    ...check('issuer', 'code', metadata.response_types_supported),
  ]
}

import type { OAuth2Protocol, OidcProtocol } from '#contracts'
import { parseJson } from '#http'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { hasTenants } from './issuer.ts'

/**
 * The name under which the ID Token of a provider with tenants is kept: the library compares `iss` with one issuer, so we
 * verify these ID Tokens by ourselves.
 */
export const tenantIdToken = 'tenant_id_token'

/** Keeps ID Tokens of a provider with tenants from the library. */
export function keepTenantIdTokens({ issuer, endpoints }: OidcProtocol, fetch: FetchFromProvider): FetchFromProvider {
  if (!hasTenants(issuer)) return fetch
  return async (url, request) => {
    const response = await fetch(url, request)
    if (url !== endpoints.token || !response.ok) return response
    const { id_token, ...granted } = Object(parseJson(await response.text()))
    return Response.json({ ...granted, [tenantIdToken]: id_token })
  }
}

type TokenEndpoint = Pick<
  OAuth2Protocol,
  'endpoints' | 'clientParameters' | 'requestsTokensByGet' | 'hasLooseTokenResponses'
>

/**
 * Sends token requests as a provider documents them, and returns loose responses as RFC 6749 5.1 defines them: as JSON,
 * with `token_type`, and errors with a status of their own.
 *
 * @param toAddress the provider's addresses, or those of the simulator
 */
export function createTokenFetch(
  { endpoints, clientParameters = {}, requestsTokensByGet, hasLooseTokenResponses }: TokenEndpoint,
  toAddress: (address: string) => string,
  fetch: FetchFromProvider,
): FetchFromProvider {
  const read = hasLooseTokenResponses ? toStandard : (response: Response) => response
  const endpoint = toAddress(endpoints.token)
  const refreshEndpoint = toAddress(endpoints.refresh ?? endpoints.token)
  return async (url, request) => {
    if (url !== endpoint || !(request.body instanceof URLSearchParams)) return fetch(url, request)
    const used = request.body.get('grant_type') === 'refresh_token' ? refreshEndpoint : endpoint
    const parameters = renameParameters(request.body, clientParameters)
    if (!requestsTokensByGet) return read(await fetch(used, { ...request, body: parameters }))
    const address = new URL(used)
    for (const [name, value] of parameters) address.searchParams.set(name, value)
    const { body: _, ...withoutBody } = request
    return read(await fetch(address.href, { ...withoutBody, method: 'GET' }))
  }
}

/** The parameters by the provider's names of the client's. */
export function renameParameters(
  parameters: URLSearchParams,
  { client_id = 'client_id', client_secret = 'client_secret' }: NonNullable<OAuth2Protocol['clientParameters']>,
): URLSearchParams {
  const names = new Map([
    ['client_id', client_id],
    ['client_secret', client_secret],
  ])
  const renamed = [...parameters].map(([name, value]): [string, string] => [names.get(name) ?? name, value])
  return new URLSearchParams(renamed)
}

async function toStandard(response: Response): Promise<Response> {
  const text = await response.text()
  const body = parseJson(text) ?? parseForm(response, text)
  // Not readable; the library says so.
  if (typeof body !== 'object' || body === null) return new Response(text, response)
  const status = response.ok && !('access_token' in body) ? 400 : response.status
  // All others are used as bearer tokens, whatever they are called.
  return Response.json({ ...body, token_type: 'bearer' }, { status })
}

function parseForm(response: Response, text: string): Readonly<Record<string, string>> | undefined {
  const isForm = /^(application\/x-www-form-urlencoded|text\/plain)\b/.test(response.headers.get('content-type') ?? '')
  return isForm && text.includes('=') ? Object.fromEntries(new URLSearchParams(text)) : undefined
}

import { type Configuration, fetchProtectedResource } from 'openid-client'
import { z } from 'zod'
import type { OidcProtocol } from '#contracts'
import { clockToleranceSeconds } from '#http'
import type { Claims } from '../../domain/provider-claims.ts'
import { ProviderRequestFailed } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { AdapterDeps } from './adapter.ts'
import type { VerifySignature } from './id-token.ts'
import { checkIssuer } from './issuer.ts'

interface UserinfoRequest extends Pick<AdapterDeps, 'skipProfile'> {
  readonly configuration: Configuration
  readonly settings: SiteProviderSettings
  readonly access_token: string
  /** The user of the ID Token; userinfo must be about the same user. */
  readonly provider_user_id: string
  readonly verifySignature: VerifySignature
}

type UserinfoProtocol = Pick<OidcProtocol, 'endpoints' | 'issuer' | 'idToken'>

const Userinfo = z.looseObject({ sub: z.string() })

/**
 * Fetches the claims of userinfo: empty if the provider has no userinfo, undefined if they could not be fetched. The ID
 * Token has proved the login already.
 *
 * @throws Error if userinfo is about another user (OpenID Connect Core 5.3.4)
 */
export async function fetchUserinfo(
  { endpoints, ...protocol }: UserinfoProtocol,
  { skipProfile, ...request }: UserinfoRequest,
): Promise<Claims | undefined> {
  const { userinfo: address } = endpoints
  if (address === undefined) return {}
  try {
    const claims = await readUserinfo(address, protocol, request)
    if (claims.sub === request.provider_user_id) return claims
  } catch (error) {
    skipProfile(error)
    return undefined
  }
  throw new Error('The userinfo of the provider is about another user than the ID Token.')
}

/** OpenID Connect Core 5.3.2: a JSON object, or a JWT. */
async function readUserinfo(
  address: string,
  { issuer, idToken }: Omit<UserinfoProtocol, 'endpoints'>,
  { configuration, settings, access_token, verifySignature }: Omit<UserinfoRequest, 'skipProfile'>,
) {
  const response = await fetchProtectedResource(configuration, access_token, new URL(address), 'GET')
  if (!response.ok) throw new ProviderRequestFailed(`status_${response.status}`)
  const text = await response.text()
  if (!response.headers.get('content-type')?.startsWith('application/jwt')) return Userinfo.parse(JSON.parse(text))
  const { payload } = await verifySignature(text, settings, {
    algorithms: [idToken.alg],
    audience: settings.client_id,
    clockTolerance: clockToleranceSeconds,
  })
  checkIssuer(issuer, payload)
  return Userinfo.parse(payload)
}

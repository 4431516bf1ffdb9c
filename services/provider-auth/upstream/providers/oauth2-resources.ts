import { type Configuration, fetchProtectedResource } from 'openid-client'
import { type OAuth2Protocol, parseExactJson } from '#contracts'
import { Claims } from '../../domain/provider-claims.ts'
import { ProviderRequestFailed } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { AdapterDeps, DescribedLogin } from './adapter.ts'
import { findClaim } from './find-claims.ts'
import { readFailure, readProviderFailure } from './oauth2-errors.ts'
import { addTokenProof } from './token-proof.ts'

/** Creates the functions that request a provider's resources with an access token. They throw ProviderRequestFailed. */
export function createResourceClient(
  { provider, protocol }: DescribedLogin<OAuth2Protocol>,
  configure: (settings: SiteProviderSettings) => Configuration,
  { toAddress, fetch, logger }: Pick<AdapterDeps, 'toAddress' | 'fetch' | 'logger'>,
) {
  const { accessTokenParameter } = protocol
  /** Sends a request with the access token and returns the response if it is successful. */
  const callWithToken = async (
    method: string,
    endpoint: string,
    accessToken: string,
    settings: SiteProviderSettings,
  ) => {
    const address = new URL(addTokenProof(protocol, toAddress(endpoint), { accessToken, settings }))
    if (accessTokenParameter !== undefined) address.searchParams.set(accessTokenParameter, accessToken)
    const response =
      accessTokenParameter === undefined
        ? await fetchProtectedResource(configure(settings), accessToken, address, method)
        : await fetch(address.href, { method, headers: { accept: 'application/json' } })
    if (response.ok) return response
    throw (await readProviderFailure(response, protocol)) ?? new ProviderRequestFailed(`status_${response.status}`)
  }
  /** The account of the end user. Some providers respond to errors with 200. */
  const fetchUser = async (address: string, accessToken: string, settings: SiteProviderSettings) => {
    const response = await callWithToken('GET', address, accessToken, settings)
    const body = Claims.parse(parseExactJson(await response.text()))
    if (findClaim(body, protocol.user.userId) === undefined)
      throw readFailure(body, protocol) ?? new ProviderRequestFailed('no_user_id')
    return body
  }
  /** The claims of a further resource; undefined if they could not be fetched. */
  const fetchResource = async (endpoint: string, accessToken: string, settings: SiteProviderSettings) => {
    try {
      const response = await callWithToken('GET', endpoint, accessToken, settings)
      return parseExactJson(await response.text())
    } catch (error) {
      logger.warn({ error, provider }, 'a further resource of the provider failed; the login continues without it')
      return undefined
    }
  }
  return { callWithToken, fetchUser, fetchResource }
}

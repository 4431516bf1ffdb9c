import type { Provider } from '#contracts'
import type { Deps } from './deps.ts'

interface Settings {
  readonly provider: Provider
  readonly login_provider_identifier: string
}
type Base = Pick<Deps, 'auth_url' | 'names'>

/** The authorization endpoint of provider settings, without query. */
export function authorizeUri(base: Base, settings: Settings): string {
  return addressOf('authorize', base, settings)
}

/** Where a provider returns people to: an address for each provider settings of its own (RFC 9700 4.4.2). */
export function providerCallback(base: Base, settings: Settings): string {
  return addressOf('callback', base, settings)
}

/** The site's own page on which a user links one more account; the customer appends `callback`. */
export function associateUri(
  { auth_url, names }: Base,
  { account, site_id, provider }: { account: string; site_id: string; provider: Provider },
  token: string,
): string {
  return new URL(`${auth_url}/${account}/${site_id}/${names.path(provider)}/associate?token=${token}`).href
}

/** As a URL is serialized, for so OAuth libraries send it. */
function addressOf(step: string, { auth_url, names }: Base, { provider, login_provider_identifier }: Settings): string {
  return new URL(`${auth_url}/oauth2/${step}/${names.path(provider)}/${login_provider_identifier}`).href
}

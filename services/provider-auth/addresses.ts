import { type LoginProvider, loginProviderDescriptions, type Provider, type ProviderNames } from '#contracts'
import type { Deps } from './deps.ts'

interface Settings {
  readonly provider: Provider
  readonly login_provider_identifier: string
}
interface LoginSettings extends Settings {
  readonly provider: LoginProvider
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

/** Where a provider sends its notices, by what they are about: addresses to enter there. */
export function noticeAddresses(base: Base, settings: LoginSettings): Record<string, string> {
  const { provider, login_provider_identifier } = settings
  const addressed = loginProviderDescriptions[provider].notices.map((about) => {
    const path = noticeRoute(provider, about, base.names).replace(
      ':login_provider_identifier',
      login_provider_identifier,
    )
    return [about, new URL(base.auth_url + path).href]
  })
  return Object.fromEntries(addressed)
}

/** The path of a notice address, as a route. A provider that tells all at one address has no further step in it. */
export function noticeRoute(provider: Provider, about: string, names: ProviderNames): string {
  const base = `/oauth2/notices/${names.path(provider)}/:login_provider_identifier`
  return about === 'events' ? base : `${base}/${about}`
}

/** Where a person sees what became of a request for deletion. */
export function deletionPage(base: Base, settings: LoginSettings, confirmationCode: string): string {
  return `${noticeAddresses(base, settings).data_deletion}/${confirmationCode}`
}

/** As a URL is serialized, for so OAuth libraries send it. */
function addressOf(step: string, { auth_url, names }: Base, { provider, login_provider_identifier }: Settings): string {
  return new URL(`${auth_url}/oauth2/${step}/${names.path(provider)}/${login_provider_identifier}`).href
}

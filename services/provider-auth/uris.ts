import {
  isBuiltInLoginProvider,
  type LoginProvider,
  loginProviderDescriptions,
  type Provider,
  type ProviderNames,
} from '#contracts'
import type { Deps } from './deps.ts'

interface Settings {
  readonly provider: Provider
  readonly login_provider_identifier: string
}
interface LoginSettings extends Settings {
  readonly provider: LoginProvider
}
type Base = Pick<Deps, 'auth_url' | 'names'>

/** The authorization endpoint for provider settings, without query. */
export function buildAuthorizeUri(base: Base, settings: Settings): string {
  return buildEndpointUri('authorize', base, settings)
}

/** The redirect URI to register at the provider. Each provider settings has its own (RFC 9700 4.4.2). */
export function buildProviderCallbackUri(base: Base, settings: Settings): string {
  return buildEndpointUri('callback', base, settings)
}

/** The path to which providers return browsers after a logout. */
export const logoutReturnPath = '/oauth2/logout/return'

/** Where a provider returns browsers after a logout, to register there. */
export function buildLogoutReturnUri({ auth_url }: Pick<Base, 'auth_url'>): string {
  return new URL(auth_url + logoutReturnPath).href
}

/** The path of the page on which end users answer to the documents of a site, before the provider. */
export const termsPath = '/oauth2/terms'

/** Where an end user answers in a login that waits for it. */
export function buildTermsUri({ auth_url, names }: Base, provider: Provider, id: string): string {
  return new URL(`${auth_url}${termsPath}/${names.path(provider)}?login=${id}`).href
}

/** The path of the account page. */
export const accountPath = '/account'

/** The account page of a site. @param site the site to name, on a host that is not its own */
export function buildAccountUri(issuer: string, site: { account: string; site_id: string } | undefined): string {
  const query = site === undefined ? '' : `?site=${site.account}/${site.site_id}`
  return new URL(issuer + accountPath + query).href
}

/** The site's page on which a user links another account. The customer appends `callback`. */
export function buildAssociateUri(
  { auth_url, names }: Base,
  { account, site_id, provider }: { account: string; site_id: string; provider: Provider },
  token: string,
): string {
  return new URL(`${auth_url}/${account}/${site_id}/${names.path(provider)}/associate?token=${token}`).href
}

/** The URIs that a provider sends webhooks to, by topic. Administrators enter them at the provider. */
export function buildWebhookUris(base: Base, settings: LoginSettings): Record<string, string> {
  const { provider, login_provider_identifier } = settings
  if (!isBuiltInLoginProvider(provider)) return {}
  const entries = loginProviderDescriptions[provider].webhooks.map((topic): [string, string] => {
    const path = buildWebhookRoute(provider, topic, base.names).replace(
      ':login_provider_identifier',
      login_provider_identifier,
    )
    return [topic, new URL(base.auth_url + path).href]
  })
  return Object.fromEntries(entries)
}

/** The route of a webhook. A provider that sends all events to one URI has no topic in the path. */
export function buildWebhookRoute(provider: Provider, topic: string, names: ProviderNames): string {
  const base = `/oauth2/webhooks/${names.path(provider)}/:login_provider_identifier`
  return topic === 'events' ? base : `${base}/${topic}`
}

/** The page that shows an end user the status of a deletion request. */
export function buildDeletionStatusUri(base: Base, settings: LoginSettings, confirmationCode: string): string {
  return `${buildWebhookUris(base, settings).data_deletion}/${confirmationCode}`
}

/** Serialized as the URL standard requires, because OAuth libraries send it that way. */
function buildEndpointUri(
  step: string,
  { auth_url, names }: Base,
  { provider, login_provider_identifier }: Settings,
): string {
  return new URL(`${auth_url}/oauth2/${step}/${names.path(provider)}/${login_provider_identifier}`).href
}

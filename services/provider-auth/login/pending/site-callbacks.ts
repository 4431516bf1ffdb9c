import type { Call } from '#bus'
import type { Deps } from '../../deps.ts'
import type { SiteCallbacks } from '../../domain/callback-request.ts'
import { toDomainCallback } from '../../domain/callback-url.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import type { ApplicationRequest } from '../../domain/pending-request.ts'
import type { PageName } from '../../pages/page-statuses.ts'
import { byteLengthOf } from '../../response/redirect-location.ts'
import { findRegisteredUri, type PendingLogin, restoreRedirectUri } from './pending-login.ts'

/**
 * Maximum bytes of both callbacks and the state if the callbacks need not be registered: the browser's cookie contains
 * them, and they take no more of it than the longest `nonce` and `state` of an authorization request. Our choice.
 */
const maxStoredBytes = 2_560

type SiteDeps = Pick<Deps, 'siteSettings' | 'identity'>

/**
 * Finds the client and the callbacks of a site login: redirect URIs of one client, byte for byte, or URLs in the site's
 * domains if one of its clients allows that. Returns the error page if they are invalid.
 *
 * @throws Fault if the site's domains are needed and identity is unavailable
 */
export async function findSiteCallbacks(
  site: number,
  values: ReadonlyMap<string, string>,
  deps: SiteDeps,
  call: Call,
): Promise<(SiteCallbacks & { readonly client: RegisteredClient }) | PageName> {
  const callback = values.get('callback')
  if (callback === undefined) return 'callback_invalid'
  const requested = { redirect_uri: callback, failure_uri: values.get('callback_if_failed') ?? null }
  const registered = await deps.siteSettings.findClientByRedirectUri({ site, callback })
  if (registered !== undefined) {
    const exact = mapUris(requested, (uri) => registered.redirect_uris.find((one) => one === uri))
    if (exact !== undefined) return { ...exact, by_domain: false, client: registered }
  }

  const client = await deps.siteSettings.findDomainCallbackClient(site)
  if (client === undefined) return 'callback_invalid'
  const allowed = await allowByDomain(requested, client, deps, call)
  if (allowed === undefined) return 'callback_invalid'
  const stored = allowed.redirect_uri + (allowed.failure_uri ?? '') + (values.get('state') ?? '')
  return byteLengthOf(stored) > maxStoredBytes ? 'parameters_malformed' : { ...allowed, by_domain: true, client }
}

/**
 * Restores the callbacks of a pending request, which contains digests of registered ones. Undefined if the client or the
 * site's domains do not allow them any more.
 *
 * @throws Fault if the site's domains are needed and identity is unavailable
 */
export async function restoreCallbacks(
  { request, loopback_port }: { readonly request: ApplicationRequest } & Pick<PendingLogin, 'loopback_port'>,
  client: RegisteredClient,
  deps: SiteDeps,
  call: Call,
): Promise<ApplicationRequest | undefined> {
  if (request.response_type !== 'one_time_token') {
    const redirectUri = restoreRedirectUri(request.redirect_uri, loopback_port, client)
    return redirectUri === undefined ? undefined : { ...request, redirect_uri: redirectUri }
  }
  const findUri = (digest: string) => findRegisteredUri(digest, client.redirect_uris)
  const callbacks = request.by_domain ? await allowByDomain(request, client, deps, call) : mapUris(request, findUri)
  return callbacks && { ...request, ...callbacks }
}

type Uris = Pick<SiteCallbacks, 'redirect_uri' | 'failure_uri'>

/** The callbacks if each is a redirect URI of the client or a URL in the site's domains now. */
async function allowByDomain(
  uris: Uris,
  { site, redirect_uris, callback_by_domain }: RegisteredClient,
  { identity }: SiteDeps,
  call: Call,
): Promise<Uris | undefined> {
  if (!callback_by_domain) return undefined
  const rules = await identity.readCallbackRules({ site }, call)
  return mapUris(uris, (uri) => redirect_uris.find((one) => one === uri) ?? toDomainCallback(uri, rules))
}

/** Undefined if one of the URIs has no counterpart. */
function mapUris({ redirect_uri, failure_uri }: Uris, find: (uri: string) => string | undefined): Uris | undefined {
  const redirectUri = find(redirect_uri)
  const failureUri = failure_uri === null ? null : find(failure_uri)
  return redirectUri === undefined || failureUri === undefined
    ? undefined
    : { redirect_uri: redirectUri, failure_uri: failureUri }
}

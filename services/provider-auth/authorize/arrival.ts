import type { Call } from '#bus'
import type { Provider } from '#contracts'
import type { Parameters } from '#http'
import type { Deps } from '../deps.ts'
import type { FindLoginProvider } from '../providers/index.ts'

/** A browser that arrived at one of our addresses, without what is HTTP about it. */
export interface Arrival {
  /** Named by the path; undefined for a name that is none. */
  readonly provider: Provider | undefined
  readonly login_provider_identifier: string
  readonly parameters: Parameters
  /** The `Cookie` field. */
  readonly cookie: string | undefined
  readonly call: Call
}

export type AuthorizeDeps = Deps & { readonly findLoginProvider: FindLoginProvider }

/** Cookies are for TLS alone where the service is reached by TLS. */
export function isSecure({ auth_url }: Pick<Deps, 'auth_url'>): boolean {
  return auth_url.startsWith('https:')
}

/** Where a provider returns people to; one address for each provider settings (RFC 9700 4.4.2). */
export function callbackUri(
  { auth_url, names }: Pick<Deps, 'auth_url' | 'names'>,
  { provider, login_provider_identifier }: { provider: Provider; login_provider_identifier: string },
): string {
  return `${auth_url}/oauth2/callback/${names.path(provider)}/${login_provider_identifier}`
}

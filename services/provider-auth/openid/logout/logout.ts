import type { Provider } from '#contracts'
import type { Parameters } from '#http'
import { equalSecrets, hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'
import { endSessions, listBrowserSessions, type SessionCookie } from '../../login/session/session.ts'
import type { PageName } from '../../pages/page-statuses.ts'
import { buildRedirectLocation } from '../../response/redirect-location.ts'
import { type LogoutRequest, parseLogoutRequest } from './logout-request.ts'
import { buildProviderLogout } from './provider-logout.ts'

/** The result of a logout request. */
export type LogoutOutcome =
  | { readonly kind: 'page'; readonly page: PageName }
  | {
      /** The end user has to confirm. */
      readonly kind: 'question'
      readonly request: LogoutRequest
      /** CSRF token: proves that the confirmation comes from our page in this browser. */
      readonly csrf: string
      readonly providers: readonly Provider[]
      /** Where the browser goes after the confirmation; undefined: our page. */
      readonly location: string | undefined
    }
  | {
      readonly kind: 'ended'
      readonly request: LogoutRequest
      /** Login providers where the end user may still be logged in, if known. */
      readonly providers: readonly Provider[]
      /** The logout at the provider, else the application's address; undefined: our page. */
      readonly location: string | undefined
      /** `Set-Cookie` headers. */
      readonly cookies: readonly string[]
    }

/**
 * Handles a logout request: ends the browser's session with the client's site, or with every site if the request names
 * no client. The end user has to confirm, unless an ID Token of the same user shows that the application sent the
 * request (RP-Initiated Logout 1.0, 2).
 *
 * @param confirmed whether the request may come from the form on our page
 */
export async function handleLogoutRequest(
  {
    parameters,
    cookie,
    confirmed,
  }: {
    readonly parameters: Parameters
    readonly cookie: string | undefined
    readonly confirmed: boolean
  },
  deps: Deps,
): Promise<LogoutOutcome> {
  const request = await parseLogoutRequest(parameters, deps)
  if (typeof request === 'string') return { kind: 'page', page: request }
  const sessions = await listBrowserSessions(request.client?.site, cookie, deps)
  const providers = [...new Set(sessions.flatMap(({ session }) => (session === undefined ? [] : [session.provider])))]
  const csrf = toCsrfToken(sessions)
  const isConfirmed =
    sessions.every((one) => isHinted(one, request)) ||
    (confirmed && equalSecrets(parameters.values.get('csrf') ?? '', csrf))
  const back = buildPostLogoutLocation(request)
  const location = (await buildProviderLogout(sessions, request, back, deps)) ?? back
  if (!isConfirmed) return { kind: 'question', request, csrf, providers, location }
  return { kind: 'ended', request, providers, location, cookies: await endSessions(sessions, deps) }
}

/** The registered URI with the request's state and nothing else (RP-Initiated Logout 1.0, 3). */
function buildPostLogoutLocation({ redirect_uri, state }: LogoutRequest): string | undefined {
  if (redirect_uri === undefined) return undefined
  return state === null ? redirect_uri : buildRedirectLocation({ redirect_uri, responseMode: 'query', state }, {})
}

function isHinted({ session }: SessionCookie, { hintedIdentifier }: LogoutRequest): boolean {
  return hintedIdentifier !== undefined && (session === undefined || session.identifier === hintedIdentifier)
}

/** Derived from session tokens, which only this browser has (OWASP ASVS 3.5.1). */
function toCsrfToken(sessions: readonly SessionCookie[]): string {
  const tokens = sessions.map(({ token }) => token).sort()
  return hashSecret(`logout of ${tokens.join(' ')}`)
}

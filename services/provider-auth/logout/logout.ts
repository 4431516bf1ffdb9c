import type { Provider } from '#contracts'
import type { Parameters } from '#http'
import { equalSecrets, hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import type { PageName } from '../pages/statuses.ts'
import { endSessions, type HeldSession, listSessions } from '../session/session.ts'
import { type LogoutRequest, readLogoutRequest } from './request.ts'

/** The result of a logout request. */
export type LogoutOutcome =
  | { readonly kind: 'page'; readonly page: PageName }
  | {
      /** The person is to confirm. */
      readonly kind: 'question'
      readonly request: LogoutRequest
      /** What proves that the confirmation comes from our page in this browser. */
      readonly csrf: string
      readonly providers: readonly Provider[]
    }
  | {
      readonly kind: 'ended'
      readonly request: LogoutRequest
      /** Login providers at which the person may still be logged in, where known. */
      readonly providers: readonly Provider[]
      /** `Set-Cookie` fields. */
      readonly cookies: readonly string[]
    }

/**
 * Logs a person out: ends the browser's session with the client's site, or with every site if the request names no client.
 * The person has to confirm, unless an ID Token of the same user shows that the application sent the request (RP-Initiated
 * Logout 1.0, 2).
 *
 * @param confirmed whether the request may come from the form on our page
 */
export async function logOut(
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
  const request = await readLogoutRequest(parameters, deps)
  if (typeof request === 'string') return { kind: 'page', page: request }
  const held = await listSessions(request.client?.site, cookie, deps)
  const providers = [...new Set(held.flatMap(({ session }) => (session === undefined ? [] : [session.provider])))]
  const csrf = formToken(held)
  const mayEnd =
    held.every((one) => isHinted(one, request)) ||
    (confirmed && equalSecrets(parameters.values.get('csrf') ?? '', csrf))
  if (!mayEnd) return { kind: 'question', request, csrf, providers }
  return { kind: 'ended', request, providers, cookies: await endSessions(held, deps) }
}

function isHinted({ session }: HeldSession, { hinted }: LogoutRequest): boolean {
  return hinted !== undefined && (session === undefined || session.identifier === hinted)
}

/** Derived from session tokens, which only this browser has (OWASP ASVS 3.5.1). */
function formToken(held: readonly HeldSession[]): string {
  const tokens = held.map(({ token }) => token).sort()
  return hashSecret(`logout of ${tokens.join(' ')}`)
}

import { Fault, type Link, limits, type User } from '#contracts'
import type { Context } from '#http'
import { equalSecrets, hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import type { HostOwner } from '../domain/hosts.ts'
import { type BuildAccountAddress, createAccountAddresses } from '../hosts/account-address.ts'
import { isSameOrigin } from '../http/browser-endpoint.ts'
import { errorPage, type Outcome } from '../login/request/outcome.ts'
import type { RequestContext } from '../login/request/request-context.ts'
import { setAccountNotice } from '../login/session/account-notice.ts'
import { type ActiveSession, readSession } from '../login/session/session.ts'
import { readSessionUser } from '../login/session/session-user.ts'
import type { AccountNotice } from '../pages/account-notices.ts'

/** A request to the account page of a site. */
export interface Visit {
  readonly context: RequestContext
  readonly owner: HostOwner
  readonly buildAddress: BuildAccountAddress
  /** Days after which the end user is deleted on request; null: the end user cannot ask for it. */
  readonly deletion_waiting_days: number | null
  /** The end user who is logged in; undefined: no one. */
  readonly endUser: EndUser | undefined
}

/** An end user who is logged in, and the session. */
export interface EndUser {
  readonly session: ActiveSession
  readonly user: User
  readonly links: readonly Link[]
}

/** A visit of an end user who is logged in. */
export type EndUserVisit = Visit & { readonly endUser: EndUser }

/** Where a request belongs, by its host or its parameter. */
export type RequestPlace = Pick<Context, 'state'> & {
  readonly siteName: string | undefined
  readonly secFetchSite: string
}

/**
 * Opens the account page for a request, and handles it. Responds with an error page if the site has no account page, or the end
 * user is blocked.
 *
 * @throws Fault if a service or Redis is unavailable
 */
export async function openVisit(
  place: RequestPlace,
  context: RequestContext,
  deps: Deps,
  handle: (visit: Visit) => Promise<Outcome>,
): Promise<Outcome> {
  const owner = await findOwner(place, deps)
  if (owner === undefined || !deps.isServed(owner.site)) return errorPage('not_found')
  const accountPage = await deps.siteSettings.findAccountPage(owner.site)
  if (accountPage === undefined) return errorPage('not_found')
  const about = { settings: owner }
  const session = await whileRedisWorks(() => readSession(owner.site, context.cookie, deps))
  const user = session && (await whileRedisWorks(() => readSessionUser(session, deps, context.call)))
  if (user?.state === 'blocked') return errorPage('user_blocked', about)
  const endUser = session && user?.state === 'active' ? { session, user: user.user, links: user.links } : undefined
  const { deletion_waiting_days } = accountPage
  const buildAddress = await createAccountAddresses(owner, deps)
  const outcome = await handle({ context, owner, endUser, buildAddress, deletion_waiting_days })
  return { ...outcome, ...about }
}

async function findOwner({ state, siteName }: RequestPlace, deps: Deps): Promise<HostOwner | undefined> {
  const { location } = state
  if (location !== undefined) return location
  const [account, siteId, ...rest] = siteName?.split('/') ?? []
  if (account === undefined || siteId === undefined || rest.length > 0) return undefined
  return deps.siteSettings.findSiteByName({ account, site_id: siteId })
}

/** Runs what needs Redis. @throws Fault if Redis is unavailable; those of services stay */
export async function whileRedisWorks<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Fault ? error : new Fault('unavailable', { cause: error })
  }
}

/** Whether the end user logged in so recently that what cannot be undone is allowed. */
export function isFresh({ session }: EndUser): boolean {
  return Date.now() - session.auth_time_ms < limits.fresh_login_seconds * 1_000
}

/** The CSRF token of the forms (OWASP ASVS 3.5.1). It is derived from a value that only this browser has. */
export function toCsrfToken({ session }: EndUser): string {
  return hashSecret(`account forms of ${session.token}`)
}

/** Whether a form is one of ours in this browser, since the last login. */
export function isOwnForm(endUser: EndUser, { parameters }: RequestContext, { secFetchSite }: RequestPlace): boolean {
  const csrf = parameters.values.get('csrf') ?? ''
  return isSameOrigin(secFetchSite) && equalSecrets(csrf, toCsrfToken(endUser))
}

/** A redirect to a page of the account page, which shows a notice; also after a form, which is not posted again. */
export function goTo(
  location: string,
  notice: AccountNotice | undefined,
  deps: Pick<Deps, 'auth_url'>,
  cookies: readonly string[] = [],
): Outcome {
  const set = notice === undefined ? [] : [setAccountNotice(notice, deps)]
  return { kind: 'redirect', location, status: 303, login: 'prompted', cookies: [...cookies, ...set] }
}

import { randomUUID } from 'node:crypto'
import { Fault } from '#contracts'
import { hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import type { Outcome } from '../login/request/outcome.ts'
import { endSessions, listBrowserSessions } from '../login/session/session.ts'
import type { AccountNotice } from '../pages/account-notices.ts'
import { endNamedSession, endOtherSessions, endWithEvent } from './sessions.ts'
import { type EndUserVisit, goTo, isFresh, isOwnForm, type RequestPlace } from './visit.ts'

/** Removes an account, by the form of our page. A repeat has no further effect: the form names the link. */
export async function removeAccount(visit: EndUserVisit, place: RequestPlace, deps: Deps): Promise<Outcome> {
  const { endUser, context, owner, buildAddress } = visit
  const home = buildAddress({ place: 'overview' })
  if (!isOwnForm(endUser, context, place)) return goTo(home, 'form_expired', deps)
  const link = endUser.links.find(({ link_id }) => link_id === context.parameters.values.get('link_id'))
  if (link === undefined) return goTo(home, 'removed', deps)
  if (!isFresh(endUser)) return goTo(buildAddress({ place: 'remove', subject: link.provider }), undefined, deps)
  const { site } = owner
  const { identifier } = endUser.session
  const unlinking = { site, identifier, providers: [link.provider], nowarn: false, nomerge: false, by_end_user: true }
  const notice = await deps.identity.unlinkProviders({ ...unlinking, command: randomUUID() }, context.call).then(
    () => 'removed' as const,
    (error: unknown) => toNotice(error),
  )
  return goTo(home, notice, deps)
}

/** @throws the error if it says nothing about the account */
function toNotice(error: unknown): AccountNotice {
  if (!(error instanceof Fault)) throw error
  // The profile is recombined later, or another request removed the account.
  if (error.fault === 'operation_failed' || error.fault === 'provider_not_linked') return 'removed'
  if (error.fault === 'last_provider') return 'last_account'
  throw error
}

/** Ends a session of the user in another browser, by the form of our page. */
export async function endOneSession(visit: EndUserVisit, place: RequestPlace, deps: Deps): Promise<Outcome> {
  const { endUser, context, buildAddress } = visit
  const home = buildAddress({ place: 'overview' })
  if (!isOwnForm(endUser, context, place)) return goTo(home, 'form_expired', deps)
  await endNamedSession(visit, context.parameters.values.get('session') ?? '', deps)
  return goTo(home, 'session_ended', deps)
}

/** Ends the sessions of the user in all other browsers, by the form of our page. */
export async function endAllOtherSessions(visit: EndUserVisit, place: RequestPlace, deps: Deps): Promise<Outcome> {
  const { endUser, context, buildAddress } = visit
  const page = buildAddress({ place: 'end_others' })
  if (!isOwnForm(endUser, context, place)) return goTo(page, 'form_expired', deps)
  if (!isFresh(endUser)) return goTo(page, undefined, deps)
  await endOtherSessions(visit, deps)
  return goTo(buildAddress({ place: 'overview' }), 'sessions_ended', deps)
}

/** Ends the session of this browser with the site. */
export async function endOwnSession(visit: EndUserVisit, place: RequestPlace, deps: Deps): Promise<Outcome> {
  const { endUser, context, owner, buildAddress } = visit
  const home = buildAddress({ place: 'overview' })
  if (!isOwnForm(endUser, context, place)) return goTo(home, 'form_expired', deps)
  const sessions = await listBrowserSessions(owner.site, context.cookie, deps)
  const own = sessions.filter(({ session }) => session?.identifier === endUser.session.identifier)
  const hashes = own.map(({ token }) => hashSecret(token))
  await endWithEvent(visit, hashes, deps)
  return goTo(home, 'logged_out', deps, await endSessions(sessions, deps))
}

import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import type { Outcome } from '../login/request/outcome.ts'
import { endSessions, listBrowserSessions } from '../login/session/session.ts'
import { type EndUserVisit, goTo, isFresh, isOwnForm, type RequestPlace } from './visit.ts'

/**
 * Requests the deletion of the end user, by the form of our page. A repeat has no further effect. Without a waiting period, the
 * session ends.
 */
export async function requestDeletion(visit: EndUserVisit, place: RequestPlace, deps: Deps): Promise<Outcome> {
  const { endUser, context, owner, buildAddress, deletion_waiting_days } = visit
  const home = buildAddress({ place: 'overview' })
  if (deletion_waiting_days === null) return goTo(home, undefined, deps)
  const page = buildAddress({ place: 'delete' })
  // The end user agreed to the days of the form.
  const isAsAgreed = context.parameters.values.get('days') === String(deletion_waiting_days)
  if (!isAsAgreed || !isOwnForm(endUser, context, place)) return goTo(page, 'form_expired', deps)
  if (!isFresh(endUser)) return goTo(page, undefined, deps)
  const user = { site: owner.site, identifier: endUser.session.identifier }
  const request = { ...user, waiting_days: deletion_waiting_days, command: randomUUID() }
  await deps.identity.requestUserDeletion(request, context.call)
  if (deletion_waiting_days > 0) return goTo(home, undefined, deps)
  const sessions = await listBrowserSessions(owner.site, context.cookie, deps)
  return goTo(home, 'deletion_now', deps, await endSessions(sessions, deps))
}

/** Keeps an end user who asked to be deleted, by the form of our page. */
export async function cancelDeletion(visit: EndUserVisit, place: RequestPlace, deps: Deps): Promise<Outcome> {
  const { endUser, context, owner, buildAddress } = visit
  const home = buildAddress({ place: 'overview' })
  if (!isOwnForm(endUser, context, place)) return goTo(home, 'form_expired', deps)
  const user = { site: owner.site, identifier: endUser.session.identifier }
  await deps.identity.cancelUserDeletion({ ...user, by_end_user: true, command: randomUUID() }, context.call)
  return goTo(home, 'deletion_canceled', deps)
}

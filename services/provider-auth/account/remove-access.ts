import { lockLinks, storeEvents, transaction } from '#database'
import type { Deps } from '../deps.ts'
import type { Outcome } from '../login/request/outcome.ts'
import { deleteClientCodes } from '../store/authorization-codes.ts'
import { markAccessRemoved } from '../store/data-recipients.ts'
import { enqueueAction } from './enqueue-action.ts'
import { type EndUserVisit, goTo, isFresh, isOwnForm, type RequestPlace } from './visit.ts'

/**
 * Removes the access of an application to the end user's data, by the form of our page: its codes and tokens end, and the session
 * at the login page is not continued for it until the end user logs in to it again. A repeat has no further effect.
 */
export async function removeAccess(visit: EndUserVisit, place: RequestPlace, deps: Deps): Promise<Outcome> {
  const { endUser, context, owner, buildAddress } = visit
  const home = buildAddress({ place: 'overview' })
  if (!isOwnForm(endUser, context, place)) return goTo(home, 'form_expired', deps)
  const clientId = context.parameters.values.get('client_id') ?? ''
  if (!isFresh(endUser)) return goTo(buildAddress({ place: 'application', subject: clientId }), undefined, deps)
  const { site } = owner
  const access = { site, link_ids: endUser.links.map(({ link_id }) => link_id), client_id: clientId }
  const client = await deps.siteSettings.findClient(clientId)
  await transaction(deps.knex, async (trx) => {
    await lockLinks(trx, access.link_ids)
    // First: a code that was redeemed before it could be deleted has its record.
    await deleteClientCodes(trx, access)
    if (!(await markAccessRemoved(trx, access))) return
    const user = { identifier: endUser.session.identifier }
    const data = { client_id: clientId, name: client?.site === site ? client.name : null }
    const time = new Date()
    await enqueueAction(trx, visit, { action: 'removeOwnAccess', details: { client_id: clientId }, time }, deps)
    await storeEvents(trx, [{ type: 'user.access_removed', site, user, data, time }])
  })
  return goTo(home, 'access_removed', deps)
}

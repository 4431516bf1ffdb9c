import type Router from '@koa/router'
import { type Context, callerAddress, clockToleranceSeconds, createRouter, type RequestState, readCookie } from '#http'
import type { Deps } from '../deps.ts'
import { secondsAfter } from '../domain/lives.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { type CountFailure, isFailure } from '../http/failures.ts'
import { refusalOf } from '../http/refusals.ts'
import { findMemberByIdentity } from '../store/provider-identities.ts'
import { type ProviderVisit, takeVisit } from '../store/provider-visits.ts'
import { updateConfirmed } from '../store/sessions.ts'
import type { BeginSession } from './begin-session.ts'
import { acceptWithIdentity } from './links.ts'
import { type Arrival, callbackPath, type OperatorProvider } from './provider.ts'
import { visitCookie } from './visit.ts'

/** Where the operator's own OpenID provider sends the browser back to. */
export function providerRoutes(
  deps: Deps,
  { countFailure, begin }: { countFailure: CountFailure; begin: BeginSession },
): Router<RequestState> {
  const router = createRouter()
  const provider = deps.operator_provider
  if (provider === undefined) return router
  router.get(callbackPath, async (ctx) => {
    ctx.set('Location', await arrive(ctx, provider))
    ctx.status = 303
  })
  return router

  /** The page to go on at: a refusal is shown by the page, too. */
  async function arrive(ctx: Context, at: OperatorProvider): Promise<string> {
    try {
      const state = new URLSearchParams(ctx.querystring).get('state') ?? ''
      const browser = readCookie(ctx.headers.cookie, visitCookie, deps.console_url) ?? ''
      const visit = await takeVisit(deps.knex, { state, browser }, deps.now())
      if (visit === undefined) throw new AdminFault('not_signed_in')
      const arrival = await at.finish(ctx.querystring, { ...visit, state })
      await admit(ctx, visit, arrival, at)
      return visit.return_to
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) throw error
      const { fault, reason } = refusal
      if (isFailure(fault)) await countFailure(ctx)
      const why = reason === undefined ? {} : { reason: reason.name, ...reason.parameters }
      return `/sign-in?${new URLSearchParams({ refused: fault, ...why })}`
    }
  }

  async function admit(
    ctx: Context,
    visit: ProviderVisit,
    arrival: Arrival,
    { issuer }: OperatorProvider,
  ): Promise<void> {
    const { knex } = deps
    const identity = { issuer, subject: arrival.subject }
    if (visit.session_id !== null) return confirm(visit, arrival, identity)
    if (visit.invitation_id !== null) {
      const where = {
        address: callerAddress(ctx.req, deps.trusted_hops) ?? 'unknown',
        request_id: ctx.state.request_id,
      }
      const memberId = await acceptWithIdentity({ invitation_id: visit.invitation_id, identity, where }, deps)
      await begin(ctx, { member_id: memberId, by: 'provider' })
      return
    }
    const memberId = await findMemberByIdentity(knex, identity)
    if (memberId === undefined) throw new AdminFault('not_allowed')
    await begin(ctx, { member_id: memberId, by: 'provider' })
  }

  /** The same member, who proved it after they left. */
  async function confirm(visit: ProviderVisit, { provedAt }: Arrival, identity: { issuer: string; subject: string }) {
    const { knex, now } = deps
    const memberId = await findMemberByIdentity(knex, identity)
    const session = await knex('sessions')
      .where({ session_id: visit.session_id })
      .first<{ session_id: string; member_id: string } | undefined>('session_id', 'member_id')
    if (session === undefined || session.member_id !== memberId) throw new AdminFault('not_signed_in')
    const earliest = secondsAfter(visit.began_at, -clockToleranceSeconds)
    if (provedAt === undefined || provedAt < earliest) throw new AdminFault('passkey_needed')
    await updateConfirmed(knex, session.session_id, now())
  }
}

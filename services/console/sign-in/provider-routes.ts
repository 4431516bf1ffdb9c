import type Router from '@koa/router'
import {
  type Context,
  callerAddress,
  clockToleranceSeconds,
  createRouter,
  type RequestState,
  readCookie,
  rejectPrefetch,
} from '#http'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'
import { toAdminFault } from '../http/errors.ts'
import { type CountFailure, isCountedFailure } from '../http/failures.ts'
import { type PendingSignIn, takePendingSignIn } from '../store/pending-sign-ins.ts'
import { findMemberByIdentity } from '../store/provider-identities.ts'
import { updateConfirmed } from '../store/sessions.ts'
import { acceptWithIdentity } from './accept-invitation.ts'
import { callbackPath, type OperatorProvider, type ProviderAuthentication } from './operator-provider.ts'
import { providerSignInCookie } from './start-provider-sign-in.ts'
import type { StartSession } from './start-session.ts'

/** Creates the callback route of the operator's own OpenID provider. */
export function createProviderRoutes(
  deps: Deps,
  { countFailure, startSession }: { countFailure: CountFailure; startSession: StartSession },
): Router<RequestState> {
  const router = createRouter()
  const provider = deps.operatorProvider
  if (provider === undefined) return router
  router.use(rejectPrefetch)
  router.get(callbackPath, async (ctx) => {
    ctx.set('Location', await handleCallback(ctx, provider))
    ctx.status = 303
  })
  return router

  /** Returns the page to redirect to. The sign-in page shows errors. */
  async function handleCallback(ctx: Context, at: OperatorProvider): Promise<string> {
    try {
      const state = new URLSearchParams(ctx.querystring).get('state') ?? ''
      const browser = readCookie(ctx.headers.cookie, providerSignInCookie, deps.consoleUrl) ?? ''
      const pending = await takePendingSignIn(deps.knex, { state, browser }, deps.now())
      if (pending === undefined) throw new AdminFault('not_signed_in')
      const authentication = await at.completeAuthorization(ctx.querystring, { ...pending, state })
      await completeSignIn(ctx, pending, authentication, at)
      return pending.return_to
    } catch (error) {
      const adminFault = toAdminFault(error)
      if (adminFault === undefined) throw error
      const { fault, reason } = adminFault
      if (isCountedFailure(fault)) await countFailure(ctx)
      const reasonParameters = reason === undefined ? {} : { reason: reason.name, ...reason.parameters }
      return `/sign-in?${new URLSearchParams({ error: fault, ...reasonParameters })}`
    }
  }

  async function completeSignIn(
    ctx: Context,
    pending: PendingSignIn,
    authentication: ProviderAuthentication,
    { issuer }: OperatorProvider,
  ): Promise<void> {
    const { knex } = deps
    const identity = { issuer, subject: authentication.subject }
    if (pending.session_id !== null) return confirm(pending, authentication, identity)
    if (pending.invitation_id !== null) {
      const where = {
        address: callerAddress(ctx.req, deps.trustedHops) ?? 'unknown',
        request_id: ctx.state.request_id,
      }
      const memberId = await acceptWithIdentity({ invitation_id: pending.invitation_id, identity, where }, deps)
      await startSession(ctx, { member_id: memberId, by: 'provider' })
      return
    }
    const memberId = await findMemberByIdentity(knex, identity)
    if (memberId === undefined) throw new AdminFault('not_allowed')
    await startSession(ctx, { member_id: memberId, by: 'provider' })
  }

  /** Confirms the session if the same member authenticated again after the redirect. */
  async function confirm(
    pending: PendingSignIn,
    { authenticatedAt }: ProviderAuthentication,
    identity: { issuer: string; subject: string },
  ) {
    const { knex, now } = deps
    const memberId = await findMemberByIdentity(knex, identity)
    const session = await knex('sessions')
      .where({ session_id: pending.session_id })
      .first<{ session_id: string; member_id: string } | undefined>('session_id', 'member_id')
    if (session === undefined || session.member_id !== memberId) throw new AdminFault('not_signed_in')
    const earliest = addSeconds(pending.started_at, -clockToleranceSeconds)
    if (authenticatedAt === undefined || authenticatedAt < earliest) throw new AdminFault('passkey_required')
    await updateConfirmed(knex, session.session_id, now())
  }
}

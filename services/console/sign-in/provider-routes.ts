import type Router from '@koa/router'
import { type Context, callerAddress, createRouter, type RequestState, readCookie, rejectPrefetch } from '#http'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import type { CountFailure } from '../http/failures.ts'
import { type PendingSignIn, takePendingSignIn } from '../store/pending-sign-ins.ts'
import { findMemberByIdentity } from '../store/provider-identities.ts'
import { acceptWithIdentity } from './accept-invitation.ts'
import { confirmSession } from './confirm-session.ts'
import { toErrorPage } from './error-page.ts'
import type { ProviderAuthentication } from './openid-provider.ts'
import { callbackPath, type OperatorProvider } from './operator-provider.ts'
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
      const pending = await takePendingSignIn(deps.knex, { state, browser, account: null }, deps.now())
      if (pending === undefined) throw new AdminFault('not_signed_in')
      const authentication = await at.completeAuthorization(ctx.querystring, { ...pending, state })
      await completeSignIn(ctx, pending, authentication, at)
      return pending.return_to
    } catch (error) {
      return toErrorPage(ctx, error, countFailure)
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
    if (pending.session_id !== null) {
      const memberId = await findMemberByIdentity(knex, identity)
      return confirmSession({ ...pending, session_id: pending.session_id }, authentication, memberId, deps)
    }
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
}

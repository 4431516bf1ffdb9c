import type Router from '@koa/router'
import { createReason } from '#admin-api'
import { type Context, callerAddress, createRouter, type RequestState, readCookie, rejectPrefetch } from '#http'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import type { CountFailure } from '../http/failures.ts'
import { findMemberOfAccountIdentity } from '../store/account-identities.ts'
import { findAccountProvider } from '../store/account-providers.ts'
import { type PendingSignIn, takePendingSignIn } from '../store/pending-sign-ins.ts'
import { accountCallbackPath } from './account-providers.ts'
import { confirmSession } from './confirm-session.ts'
import { toErrorPage } from './error-page.ts'
import type { ProviderAuthentication } from './openid-provider.ts'
import { signInAtAccount } from './sign-in-at-account.ts'
import { providerSignInCookie } from './start-provider-sign-in.ts'
import type { StartSession } from './start-session.ts'
import { storeTestResult } from './store-test-result.ts'

/** Creates the callback route of the accounts' providers. */
export function createAccountRoutes(
  deps: Deps,
  { countFailure, startSession }: { countFailure: CountFailure; startSession: StartSession },
): Router<RequestState> {
  const { knex, now } = deps
  const router = createRouter()
  router.get(accountCallbackPath, rejectPrefetch, async (ctx) => {
    ctx.set('Location', await handleCallback(ctx, String(ctx.params.account)))
    ctx.status = 303
  })
  return router

  /** Returns the page to redirect to. The sign-in page shows errors. */
  async function handleCallback(ctx: Context, account: string): Promise<string> {
    try {
      const state = new URLSearchParams(ctx.querystring).get('state') ?? ''
      const browser = readCookie(ctx.headers.cookie, providerSignInCookie, deps.consoleUrl) ?? ''
      const pending = await takePendingSignIn(knex, { state, browser, account }, now())
      if (pending === undefined) throw new AdminFault('not_signed_in')
      const row = await findAccountProvider(knex, account)
      if (row === undefined || row.revision !== pending.provider_revision) {
        throw new AdminFault('not_signed_in', { reason: createReason('sign_in_settings_changed') })
      }
      const provider = await deps.accountProviders.open(row)
      const claim = row.role_claim?.split('.')[0]
      const needs = claim === undefined ? ['email'] : ['email', claim]
      const authentication = await provider.completeAuthorization(ctx.querystring, { ...pending, state }, needs)
      return await complete(ctx, { ...pending, account }, authentication, row.issuer)
    } catch (error) {
      return toErrorPage(ctx, error, countFailure)
    }
  }

  async function complete(
    ctx: Context,
    pending: PendingSignIn & { readonly account: string },
    authentication: ProviderAuthentication,
    issuer: string,
  ): Promise<string> {
    const { account, return_to, test_id, session_id } = pending
    if (test_id !== null) {
      await storeTestResult({ test_id, account, authentication }, deps)
      return return_to
    }
    if (session_id !== null) {
      const memberId = await findMemberOfAccountIdentity(knex, { account, issuer, subject: authentication.subject })
      await confirmSession({ ...pending, session_id }, authentication, memberId, deps)
      return return_to
    }
    const where = { address: callerAddress(ctx.req, deps.trustedHops) ?? 'unknown', request_id: ctx.state.request_id }
    const revision = pending.provider_revision ?? 0
    const memberId = await signInAtAccount({ account, revision, authentication, where }, deps)
    await startSession(ctx, { member_id: memberId, by: 'account_provider', account })
    return return_to
  }
}

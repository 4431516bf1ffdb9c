import type { Deps } from '../../deps.ts'
import type { CallbackRequest } from '../../domain/callback-request.ts'
import { redirectToProvider } from '../pending/redirect-to-provider.ts'
import type { Outcome } from '../request/outcome.ts'
import type { SiteRequestContext } from '../request/request-context.ts'
import { handleSiteRequest } from './handle-site-request.ts'

/**
 * Handles a site login, whose callback receives a one-time token: an error page, or a redirect to the provider.
 *
 * @param context with whether only accounts that a user has may log in
 */
export async function startSiteLogin(
  context: SiteRequestContext & Pick<CallbackRequest, 'existing_users_only'>,
  deps: Deps,
): Promise<Outcome> {
  return handleSiteRequest(context, deps, async (siteLogin) => {
    const { existing_users_only } = context
    const request = { ...siteLogin.request, existing_users_only, association: null }
    return redirectToProvider(siteLogin, { ...context, request, providerRequest: { passedParameters: {} } }, deps)
  })
}

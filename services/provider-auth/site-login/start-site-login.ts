import type { Deps } from '../deps.ts'
import type { Outcome } from '../login/outcome.ts'
import { redirectToProvider } from '../login/redirect-to-provider.ts'
import type { SiteRequestContext } from '../login/request-context.ts'
import { handleSiteRequest } from './handle-site-request.ts'

/** Handles a site login, whose callback receives a one-time token: an error page, or a redirect to the provider. */
export async function startSiteLogin(context: SiteRequestContext, deps: Deps): Promise<Outcome> {
  return handleSiteRequest(context, deps, async (siteLogin) => {
    const request = { ...siteLogin.request, association: null }
    return redirectToProvider(siteLogin, { ...context, request, providerRequest: { passedParameters: {} } }, deps)
  })
}

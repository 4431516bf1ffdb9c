import type { Deps } from '../deps.ts'
import type { Outcome } from '../login/outcome.ts'
import { redirectToProvider } from '../login/redirect-to-provider.ts'
import type { SiteRequestContext } from '../login/request-context.ts'
import { handleSiteRequest } from './handle-site-request.ts'

/** Answers a login by way of a site's own page, whose callback gets a one-time token: a page, or the way to the provider. */
export async function startSiteLogin(context: SiteRequestContext, deps: Deps): Promise<Outcome> {
  return handleSiteRequest(context, deps, async (siteLogin) => {
    const request = { ...siteLogin.request, association: null }
    return redirectToProvider(siteLogin, { ...context, request, providerRequest: { passedParameters: {} } }, deps)
  })
}

import type Router from '@koa/router'
import { createRouter, type RequestState, rejectPrefetch } from '#http'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { requireMethod } from '../../http/browser-endpoint.ts'
import { termsPath } from '../../uris.ts'
import { handleBrowserRequest } from '../request/handle-request.ts'
import { handleAnswers, showTerms } from './answer-terms.ts'

/** The page on which end users answer to the documents of a site, between the provider and the application. */
export function termsRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  router.use(rejectPrefetch)
  router.all(`${termsPath}/:login_provider`, async (ctx) => {
    requireMethod(ctx, ['GET', 'POST'])
    const deps = at(ctx)
    await handleBrowserRequest(ctx, deps, (context) =>
      ctx.method === 'POST'
        ? handleAnswers({ ...context, secFetchSite: ctx.get('Sec-Fetch-Site') }, deps)
        : showTerms(context, deps),
    )
  })
  return router
}

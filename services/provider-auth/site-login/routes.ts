import type Router from '@koa/router'
import { createRouter, type RequestState } from '#http'
import type { Deps } from '../deps.ts'
import { allow } from '../http/browser-endpoint.ts'
import { answerAuthorization, answerBrowser, type Context } from '../login/browser-endpoint.ts'
import { confirmLinking, showLinking } from './associate.ts'
import { authenticate } from './authenticate.ts'

/** A site's own login pages: login with a one-time token, and linking of one more account. */
export function siteLoginRoutes(deps: Deps): Router<RequestState> {
  const router = createRouter()
  router.all('/:account/:site_id/:login_provider/authenticate', async (ctx) => {
    allow(ctx, ['GET'])
    await answerAuthorization(ctx, deps, (arrival) => authenticate({ ...arrival, ...siteOf(ctx) }, deps))
  })
  router.all('/:account/:site_id/:login_provider/associate', async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    const sentFrom = ctx.get('Sec-Fetch-Site')
    await answerBrowser(ctx, deps, (arrival) =>
      ctx.method === 'POST'
        ? confirmLinking({ ...arrival, ...siteOf(ctx), sent_from: sentFrom }, deps)
        : showLinking({ ...arrival, ...siteOf(ctx) }, deps),
    )
  })
  return router
}

function siteOf({ params: { account = '', site_id = '' } }: Context): { account: string; site_id: string } {
  return { account, site_id }
}

import type Router from '@koa/router'
import { createRouter, type RequestState, readParameters, rejectPrefetch } from '#http'
import type { Deps } from '../deps.ts'
import type { DepsAt } from '../hosts/deps-at-host.ts'
import { requireMethod } from '../http/browser-endpoint.ts'
import { handleBrowserRequest, handlePageRequest, type LoginRouterContext } from '../login/request/handle-request.ts'
import type { Outcome } from '../login/request/outcome.ts'
import type { RequestContext } from '../login/request/request-context.ts'
import { accountPath } from '../uris.ts'
import { endAllOtherSessions, endOneSession, endOwnSession, removeAccount } from './change-account.ts'
import { cancelDeletion, requestDeletion } from './delete-account.ts'
import { downloadData } from './download.ts'
import { removeAccess } from './remove-access.ts'
import {
  showAdd,
  showApplication,
  showDelete,
  showLogin,
  showOverview,
  showQuestion,
  showRemove,
} from './show-pages.ts'
import { startAccountLink, startAccountLogin } from './start-login.ts'
import { type EndUserVisit, openVisit, type RequestPlace } from './visit.ts'

type Show = (visit: EndUserVisit, deps: Deps) => Promise<Outcome>
type Change = (visit: EndUserVisit, place: RequestPlace, deps: Deps) => Promise<Outcome>

/** The page on which end users of a site manage their accounts, where the site has turned it on. */
export function accountRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  router.use(rejectPrefetch)
  const serve = (
    path: string,
    { show, change, isLogin = false }: { readonly show?: Show; readonly change?: Change; readonly isLogin?: boolean },
  ) =>
    router.all(accountPath + path, async (ctx) => {
      requireMethod(ctx, [...(show === undefined ? [] : ['GET']), ...(change === undefined ? [] : ['POST'])])
      const deps = at(ctx)
      const run = (context: RequestContext) => {
        const place = getPlace(ctx)
        return openVisit(place, context, deps, async (visit) => {
          const { endUser } = visit
          if (endUser === undefined) return showLogin(visit, { place: 'overview' }, deps)
          if (ctx.method === 'POST' && change !== undefined) return change({ ...visit, endUser }, place, deps)
          return show === undefined ? showOverview({ ...visit, endUser }, deps) : show({ ...visit, endUser }, deps)
        })
      }
      if (isLogin && ctx.method === 'POST') await handleBrowserRequest(ctx, deps, run)
      else await handlePageRequest(ctx, deps, run)
    })
  serve('', { show: showOverview })
  serve('/add', { show: showAdd, change: startAccountLink, isLogin: true })
  serve('/remove', { show: showRemove, change: removeAccount })
  serve('/end-others', { show: showQuestion('end_others'), change: endAllOtherSessions })
  serve('/application', { show: showApplication, change: removeAccess })
  serve('/download', { show: showQuestion('download'), change: downloadData })
  serve('/delete', { show: showDelete, change: requestDeletion })
  serve('/keep', { change: cancelDeletion })
  serve('/end-session', { change: endOneSession })
  serve('/log-out', { change: endOwnSession })
  router.all(`${accountPath}/log-in/:login_provider`, async (ctx) => {
    requireMethod(ctx, ['GET'])
    const deps = at(ctx)
    await handleBrowserRequest(ctx, deps, (context) =>
      openVisit(getPlace(ctx), context, deps, (visit) => startAccountLogin(visit, deps)),
    )
  })
  return router
}

function getPlace(ctx: LoginRouterContext): RequestPlace {
  const siteName = readParameters(ctx.querystring).values.get('site')
  return { state: ctx.state, siteName, secFetchSite: ctx.get('Sec-Fetch-Site') }
}

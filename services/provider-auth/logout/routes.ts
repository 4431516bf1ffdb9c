import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import { limits } from '#contracts'
import { isDatabaseUnavailable } from '#database'
import { createRouter, MalformedParameters, type RequestState, readFormText, readParameters } from '#http'
import { brandPage } from '../branding/brand-page.ts'
import { listLoginChoices } from '../branding/login-choices.ts'
import type { Deps } from '../deps.ts'
import { allow, isSameOrigin, redirect } from '../http/browser-endpoint.ts'
import { encryptPostedForm, openPostedForm } from '../login/posted-form.ts'
import { locationOf } from '../login/respond.ts'
import { renderLoggedOut, renderLogoutQuestion, renderPage } from '../pages/render.ts'
import { type LogoutOutcome, logOut } from './logout.ts'
import type { LogoutRequest } from './request.ts'

type Context = RouterContext<RequestState>

const logoutPath = '/oauth2/logout'

/** The end session endpoint (OpenID Connect RP-Initiated Logout 1.0). */
export function logoutRoutes(deps: Deps): Router<RequestState> {
  const router = createRouter()
  router.get(logoutPath, async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    await guard(ctx, deps, async () => {
      const query = readParameters(ctx.querystring)
      const posted = query.values.get('posted')
      const form = posted === undefined ? undefined : await openPostedForm('logout', posted, deps)
      const parameters = form === undefined ? query : readParameters(form)
      ctx.state.ui_locales = parameters.values.get('ui_locales')
      const outcome = await logOut({ parameters, cookie: ctx.get('Cookie'), confirmed: false }, deps)
      await render(ctx, outcome, deps)
    })
  })
  router.post(logoutPath, async (ctx) => {
    await guard(ctx, deps, async () => {
      const text = await readFormText(ctx.req)
      const parameters = readParameters(text)
      ctx.state.ui_locales = parameters.values.get('ui_locales')
      const fromOurPage = isSameOrigin(ctx.get('Sec-Fetch-Site')) && parameters.values.has('csrf')
      if (!fromOurPage) return redirectToGet(ctx, text, deps)
      const outcome = await logOut({ parameters, cookie: ctx.get('Cookie'), confirmed: true }, deps)
      await render(ctx, outcome, deps)
    })
  })
  return router
}

/**
 * Answers a form posted from an application's page with a redirect to a GET request: browsers send our cookies
 * (`SameSite=Lax`) only with that, and without them there is no session to end.
 */
function redirectToGet(ctx: Context, text: string, deps: Deps): void {
  const posted = encryptPostedForm('logout', text, deps)
  if (posted === undefined) renderPage(ctx, 'parameters_malformed')
  else redirect(ctx, `${deps.auth_url}${logoutPath}?posted=${posted}`, 303)
}

async function render(ctx: Context, outcome: LogoutOutcome, deps: Deps): Promise<void> {
  if (outcome.kind === 'page') return renderPage(ctx, outcome.page)
  const { request, providers } = outcome
  if (outcome.kind === 'ended') {
    if (outcome.cookies.length > 0) ctx.set('Set-Cookie', [...outcome.cookies])
    const location = returnLocation(request)
    if (location !== undefined) return redirect(ctx, location, 303)
  }
  const [site] = request.client === undefined ? [] : await listLoginChoices(request.client.site, deps)
  if (site !== undefined) ctx.state.siteName = `${site.account}/${site.site_id}`
  const branding = await brandPage(ctx, site, deps)
  if (outcome.kind === 'ended') return renderLoggedOut(ctx, providers, branding)
  const { client, redirect_uri, state } = request
  const hidden = {
    ...(client !== undefined && { client_id: client.client_id }),
    ...(redirect_uri !== undefined && { post_logout_redirect_uri: redirect_uri }),
    ...(state !== null && { state }),
    ...(ctx.state.ui_locales !== undefined && { ui_locales: ctx.state.ui_locales }),
    csrf: outcome.csrf,
  }
  renderLogoutQuestion(ctx, { application: client?.name, providers, hidden, redirect_uri }, branding)
}

/** The registered address itself, with the request's state and nothing else (RP-Initiated Logout 1.0, 3). */
function returnLocation({ redirect_uri, state }: LogoutRequest): string | undefined {
  if (redirect_uri === undefined) return undefined
  return state === null ? redirect_uri : locationOf({ redirect_uri, placement: 'query', state }, {})
}

async function guard(ctx: Context, { logger }: Pick<Deps, 'logger'>, answer: () => Promise<void>): Promise<void> {
  try {
    await answer()
  } catch (error) {
    if (error instanceof MalformedParameters) return renderPage(ctx, 'parameters_malformed')
    if (!isDatabaseUnavailable(error)) throw error
    logger.warn({ error, request_id: ctx.state.request_id }, 'a logout failed')
    ctx.set('Retry-After', String(limits.retry_after_seconds))
    renderPage(ctx, 'unavailable')
  }
}

import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import {
  createRouter,
  MalformedParameters,
  type RequestState,
  readFormText,
  readParameters,
  rejectPrefetch,
} from '#http'
import type { Deps } from '../../deps.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { isSameOrigin, redirect, requireMethod } from '../../http/browser-endpoint.ts'
import { decryptPostedForm, encryptPostedForm } from '../../login/request/posted-form.ts'
import { listLoginChoices } from '../../pages/buttons/login-choices.ts'
import { brandPage } from '../../pages/context/brand-page.ts'
import { renderLoggedOut, renderLogoutConfirmation, renderPage } from '../../pages/render.ts'
import { logoutReturnPath } from '../../uris.ts'
import { handleLogoutRequest, type LogoutOutcome } from './logout.ts'
import { readLogoutReturn } from './provider-logout.ts'

type LogoutRouterContext = RouterContext<RequestState>

const logoutPath = '/oauth2/logout'

/** The end session endpoint (OpenID Connect RP-Initiated Logout 1.0). */
export function logoutRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  router.use(rejectPrefetch)
  router.get(logoutPath, async (ctx) => {
    requireMethod(ctx, ['GET', 'POST'])
    const deps = at(ctx)
    await withMalformedPage(ctx, async () => {
      const query = readParameters(ctx.querystring)
      const posted = query.values.get('posted')
      const form = posted === undefined ? undefined : await decryptPostedForm('logout', posted, deps)
      const parameters = form === undefined ? query : readParameters(form)
      ctx.state.ui_locales = parameters.values.get('ui_locales')
      const outcome = await handleLogoutRequest({ parameters, cookie: ctx.get('Cookie'), confirmed: false }, deps)
      await render(ctx, outcome, deps)
    })
  })
  router.post(logoutPath, async (ctx) => {
    const deps = at(ctx)
    await withMalformedPage(ctx, async () => {
      const text = await readFormText(ctx.req)
      const parameters = readParameters(text)
      ctx.state.ui_locales = parameters.values.get('ui_locales')
      const fromOurPage = isSameOrigin(ctx.get('Sec-Fetch-Site')) && parameters.values.has('csrf')
      if (!fromOurPage) return redirectToGet(ctx, text, deps)
      const outcome = await handleLogoutRequest({ parameters, cookie: ctx.get('Cookie'), confirmed: true }, deps)
      await render(ctx, outcome, deps)
    })
  })
  router.get(logoutReturnPath, async (ctx) => {
    requireMethod(ctx, ['GET'])
    const deps = at(ctx)
    await withMalformedPage(ctx, () => renderReturn(ctx, deps))
  })
  return router
}

/**
 * Responds to a form posted from an application's page with a redirect to a GET request: browsers send our cookies
 * (`SameSite=Lax`) only with that, and without them there is no session to end.
 */
function redirectToGet(ctx: LogoutRouterContext, text: string, deps: Deps): void {
  const posted = encryptPostedForm('logout', text, deps)
  if (posted === undefined) renderPage(ctx, 'parameters_malformed')
  else redirect(ctx, `${deps.auth_url}${logoutPath}?posted=${posted}`, 303)
}

async function render(ctx: LogoutRouterContext, outcome: LogoutOutcome, deps: Deps): Promise<void> {
  if (outcome.kind === 'page') {
    await brandPage(ctx, undefined, deps)
    return renderPage(ctx, outcome.page)
  }
  const { request, providers } = outcome
  if (outcome.kind === 'ended') {
    if (outcome.cookies.length > 0) ctx.set('Set-Cookie', [...outcome.cookies])
    if (outcome.location !== undefined) return redirect(ctx, outcome.location, 303)
  }
  await brandFor(ctx, request.client, deps)
  if (outcome.kind === 'ended') return renderLoggedOut(ctx, providers)
  const { client, redirect_uri, state } = request
  const hidden = {
    ...(client !== undefined && { client_id: client.client_id }),
    ...(redirect_uri !== undefined && { post_logout_redirect_uri: redirect_uri }),
    ...(state !== null && { state }),
    ...(ctx.state.ui_locales !== undefined && { ui_locales: ctx.state.ui_locales }),
    csrf: outcome.csrf,
  }
  const locations = [outcome.location, redirect_uri].filter((one) => one !== undefined)
  renderLogoutConfirmation(ctx, { application: client?.name, providers, hidden, locations })
}

/** Goes on with a logout after the provider's; shows our page if nothing is known about it. */
async function renderReturn(ctx: LogoutRouterContext, deps: Deps): Promise<void> {
  const state = readParameters(ctx.querystring).values.get('state')
  const { client_id, location } = (await readLogoutReturn(state, deps)) ?? {}
  if (location !== undefined) return redirect(ctx, location, 303)
  const client = client_id === undefined ? undefined : await deps.siteSettings.findClient(client_id)
  await brandFor(ctx, client, deps)
  renderLoggedOut(ctx, undefined)
}

async function brandFor(ctx: LogoutRouterContext, client: RegisteredClient | undefined, deps: Deps): Promise<void> {
  const [site] = client === undefined ? [] : await listLoginChoices(client.site, deps)
  if (site !== undefined) ctx.state.siteName = `${site.account}/${site.site_id}`
  await brandPage(ctx, site, deps)
}

async function withMalformedPage(ctx: LogoutRouterContext, handle: () => Promise<void>): Promise<void> {
  try {
    await handle()
  } catch (error) {
    if (!(error instanceof MalformedParameters)) throw error
    renderPage(ctx, 'parameters_malformed')
  }
}

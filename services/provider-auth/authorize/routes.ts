import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import { Counter } from 'prom-client'
import { newCall } from '#bus'
import { limits } from '#contracts'
import { MalformedParameters, type RequestState, readForm, readParameters } from '#http'
import type { Deps } from '../deps.ts'
import { renderPage, stylesheet } from '../pages/render.ts'
import { loginProviders } from '../providers/index.ts'
import { createRouter } from '../router.ts'
import type { Arrival, AuthorizeDeps } from './arrival.ts'
import { begin } from './begin.ts'
import { finish } from './finish.ts'
import { type Outcome, page } from './outcome.ts'

type Context = RouterContext<RequestState>

/** The browser's side: the authorization endpoint, the providers' callbacks, and the pages' stylesheet. */
export function authorizeRoutes(deps: Deps): Router<RequestState> {
  const authorize_deps: AuthorizeDeps = { ...deps, findLoginProvider: loginProviders(deps) }
  const logins = new Counter({
    name: 'logins_total',
    help: 'Logins begun, and how they ended: completed, denied by the provider, failed, or refused.',
    labelNames: ['provider', 'outcome'],
    registers: [deps.registry],
  })
  const providerOf = (ctx: Context) => deps.names.fromPath(ctx.params.login_provider ?? '')

  const readArrival = async (ctx: Context): Promise<Arrival> => ({
    provider: providerOf(ctx),
    login_provider_identifier: ctx.params.login_provider_identifier ?? '',
    parameters: ctx.method === 'POST' ? await readForm(ctx.req) : readParameters(ctx.querystring),
    cookie: ctx.get('Cookie'),
    call: newCall({ request_id: ctx.state.request_id, within_ms: limits.login_deadline_ms }),
  })
  const answer = async (ctx: Context, decide: (arrival: Arrival) => Promise<Outcome>) => {
    const outcome = await readArrival(ctx).then(decide).catch(refuseMalformed)
    logins.inc({ provider: providerOf(ctx) ?? 'unknown', outcome: outcome.login })
    render(ctx, outcome)
  }

  const router = createRouter()
  router.all('/oauth2/authorize/:login_provider/:login_provider_identifier', async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    await answer(ctx, (arrival) => begin(arrival, authorize_deps))
  })
  router.all('/oauth2/callback/:login_provider/:login_provider_identifier', async (ctx) => {
    allow(ctx, ['GET'])
    await answer(ctx, (arrival) => finish({ ...arrival, query: ctx.querystring }, authorize_deps))
  })
  router.all(stylesheet.path, (ctx) => {
    allow(ctx, ['GET', 'HEAD'])
    ctx.type = 'text/css; charset=utf-8'
    ctx.set('Cache-Control', 'public, max-age=3600')
    ctx.body = stylesheet.text
  })
  return router
}

/** The router runs a GET route for HEAD as well, so each route says itself what it answers. */
function allow(ctx: Context, methods: readonly string[]): void {
  if (methods.includes(ctx.method)) return
  ctx.set('Allow', methods.join(', '))
  ctx.throw(405)
}

function refuseMalformed(error: unknown): Outcome {
  if (error instanceof MalformedParameters) return page('parameters_malformed')
  throw error
}

function render(ctx: Context, outcome: Outcome): void {
  const { settings, cookies } = outcome
  if (settings !== undefined) ctx.state.site_name = `${settings.account}/${settings.site_id}`
  if (cookies !== undefined) ctx.set('Set-Cookie', [...cookies])
  if (outcome.kind === 'page') renderPage(ctx, outcome.page)
  else redirect(ctx, outcome.location)
}

/** Not `ctx.redirect`, which rewrites the address and repeats it in a body. */
function redirect(ctx: Context, location: string): void {
  ctx.status = 302
  ctx.set('Location', location)
  ctx.body = ''
  ctx.remove('Content-Type')
}

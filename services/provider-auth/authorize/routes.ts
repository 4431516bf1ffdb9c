import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import { Counter } from 'prom-client'
import { newCall } from '#bus'
import { limits } from '#contracts'
import { isOutage } from '#database'
import { createRouter, MalformedParameters, type RequestState, readFormText, readParameters } from '#http'
import type { Deps } from '../deps.ts'
import { wishedLanguage } from '../pages/language.ts'
import { renderChoice, renderConfirmation, renderPage, stylesheet } from '../pages/render.ts'
import type { Arrival, SettingsArrival, SiteArrival } from './arrival.ts'
import { confirmLinking, showLinking } from './associate.ts'
import { authenticate } from './authenticate.ts'
import { begin } from './begin.ts'
import { choose } from './choose.ts'
import { finish } from './finish.ts'
import { type Outcome, page } from './outcome.ts'
import { receive } from './receive.ts'

type Context = RouterContext<RequestState>

/** The browser's side: the authorization endpoint, the sites' own login pages, the providers' callbacks, and the stylesheet. */
export function authorizeRoutes(deps: Deps): Router<RequestState> {
  const logins = new Counter({
    name: 'logins_total',
    help: 'Logins and linkings: asked to choose or to confirm, begun, continued by a session, returned by a form, and how they ended: completed, denied, failed, or refused.',
    labelNames: ['provider', 'outcome'],
    registers: [deps.registry],
  })
  const providerOf = (ctx: Context) => deps.names.fromPath(ctx.params.login_provider ?? '')

  const readArrival = async (ctx: Context): Promise<Arrival> => {
    const text = ctx.method === 'POST' ? await readFormText(ctx.req) : ctx.querystring
    const parameters = readParameters(text)
    const ui_locales = parameters.values.get('ui_locales')
    ctx.state.ui_locales = ui_locales
    return {
      provider: providerOf(ctx),
      parameters,
      text,
      cookie: ctx.get('Cookie'),
      language: wishedLanguage(ui_locales),
      speak(language) {
        ctx.state.ui_locales = language
      },
      call: newCall({ request_id: ctx.state.request_id, within_ms: limits.login_deadline_ms }),
    }
  }
  const answer = async (ctx: Context, decide: (arrival: Arrival) => Promise<Outcome>) => {
    const outcome = await readArrival(ctx)
      .then(decide)
      .catch((error: unknown) => explain(error, ctx, deps))
    logins.inc({ provider: providerOf(ctx) ?? 'unknown', outcome: outcome.login })
    render(ctx, outcome)
  }

  const router = createRouter()
  router.all('/oauth2/authorize', async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    await answer(ctx, (arrival) => choose(arrival, deps))
  })
  router.all('/oauth2/authorize/:login_provider/:login_provider_identifier', async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    await answer(ctx, (arrival) => begin({ ...arrival, ...settingsOf(ctx) }, deps))
  })
  router.all('/oauth2/callback/:login_provider/:login_provider_identifier', async (ctx) => {
    const provider = providerOf(ctx)
    if (provider !== undefined && deps.findLoginProvider(provider)?.returns_by_form) {
      allow(ctx, ['GET', 'POST'])
      if (ctx.method === 'POST')
        return answer(ctx, (arrival) => receive({ ...arrival, ...settingsOf(ctx), provider }, deps))
    } else allow(ctx, ['GET'])
    await answer(ctx, (arrival) => finish({ ...arrival, ...settingsOf(ctx) }, deps))
  })
  router.all('/:account/:site_id/:login_provider/authenticate', async (ctx) => {
    allow(ctx, ['GET'])
    await answer(ctx, (arrival) => authenticate({ ...arrival, ...siteOf(ctx) }, deps))
  })
  router.all('/:account/:site_id/:login_provider/associate', async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    const sent_from = ctx.get('Sec-Fetch-Site')
    await answer(ctx, (arrival) =>
      ctx.method === 'POST'
        ? confirmLinking({ ...arrival, ...siteOf(ctx), sent_from }, deps)
        : showLinking({ ...arrival, ...siteOf(ctx) }, deps),
    )
  })
  router.all(stylesheet.path, (ctx) => {
    allow(ctx, ['GET', 'HEAD'])
    ctx.type = 'text/css; charset=utf-8'
    ctx.set('Cache-Control', 'public, max-age=3600')
    ctx.body = stylesheet.text
  })
  return router
}

function settingsOf(ctx: Context): Pick<SettingsArrival, 'login_provider_identifier'> {
  return { login_provider_identifier: ctx.params.login_provider_identifier ?? '' }
}

function siteOf(ctx: Context): Pick<SiteArrival, 'account' | 'site_id'> {
  return { account: ctx.params.account ?? '', site_id: ctx.params.site_id ?? '' }
}

/** The router runs a GET route for HEAD as well, so each route says itself what it answers. */
function allow(ctx: Context, methods: readonly string[]): void {
  if (methods.includes(ctx.method)) return
  ctx.set('Allow', methods.join(', '))
  ctx.throw(405)
}

/** The page for what went wrong before the application's address was known to be its own. */
function explain(error: unknown, ctx: Context, { logger }: Pick<Deps, 'logger'>): Outcome {
  if (error instanceof MalformedParameters) return page('parameters_malformed')
  if (!isOutage(error)) throw error
  logger.warn({ error, request_id: ctx.state.request_id }, 'a login could not begin or go on')
  ctx.set('Retry-After', String(limits.retry_after_seconds))
  return { ...page('unavailable'), login: 'failed' }
}

function render(ctx: Context, outcome: Outcome): void {
  const { settings, cookies } = outcome
  if (settings !== undefined) ctx.state.site_name = `${settings.account}/${settings.site_id}`
  if (cookies !== undefined) ctx.set('Set-Cookie', [...cookies])
  if (outcome.kind === 'page') renderPage(ctx, outcome.page)
  else if (outcome.kind === 'choice') renderChoice(ctx, outcome.choice)
  else if (outcome.kind === 'confirmation') renderConfirmation(ctx, outcome.confirmation)
  else redirect(ctx, outcome)
}

/** Not `ctx.redirect`, which rewrites the address and repeats it in a body. */
function redirect(ctx: Context, { location, status }: Extract<Outcome, { kind: 'redirect' }>): void {
  ctx.status = status ?? 302
  ctx.set('Location', location)
  ctx.body = ''
  ctx.remove('Content-Type')
}

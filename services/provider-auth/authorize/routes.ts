import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import { newCall } from '#bus'
import { limits } from '#contracts'
import { isOutage } from '#database'
import {
  callerAddress,
  createRouter,
  MalformedParameters,
  type RequestState,
  readFormText,
  readParameters,
} from '#http'
import { createCounter } from '#runtime'
import { brandPage } from '../branding/brand-page.ts'
import type { Deps } from '../deps.ts'
import { allow, redirect } from '../http/browser-endpoint.ts'
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
import { recordAuthorizationRejection } from './record-rejection.ts'

type Context = RouterContext<RequestState>

/** The browser's side: the authorization endpoint, the sites' own login pages, the providers' callbacks, and the stylesheet. */
export function authorizeRoutes(deps: Deps): Router<RequestState> {
  const logins = createCounter(deps.registry, 'sociallogin_authorize_flows_total')
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
      address: callerAddress(ctx.req, deps.trusted_hops),
      language: wishedLanguage(ui_locales),
      speak(language) {
        ctx.state.ui_locales = language
      },
      call: newCall({ request_id: ctx.state.request_id, within_ms: limits.login_deadline_ms }),
    }
  }
  const answer = async (ctx: Context, decide: (arrival: Arrival) => Promise<Outcome>, is_request = false) => {
    let arrival: Arrival | undefined
    const outcome = await readArrival(ctx)
      .then((read) => {
        arrival = read
        return decide(read)
      })
      .catch((error: unknown) => explain(error, ctx, deps))
    if (is_request) {
      const { request_id } = ctx.state
      const address = callerAddress(ctx.req, deps.trusted_hops)
      recordAuthorizationRejection(outcome, { request_id, parameters: arrival?.parameters, address }, deps)
    }
    logins.inc({ provider: providerOf(ctx) ?? 'unknown', outcome: outcome.login })
    await render(ctx, outcome, deps)
  }

  const router = createRouter()
  router.all('/oauth2/authorize', async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    await answer(ctx, (arrival) => choose(arrival, deps), true)
  })
  router.all('/oauth2/authorize/:login_provider/:login_provider_identifier', async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    await answer(ctx, (arrival) => begin({ ...arrival, ...settingsOf(ctx) }, deps), true)
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
    await answer(ctx, (arrival) => authenticate({ ...arrival, ...siteOf(ctx) }, deps), true)
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

/** The page for what went wrong before the application's address was known to be its own. */
function explain(error: unknown, ctx: Context, { logger }: Pick<Deps, 'logger'>): Outcome {
  if (error instanceof MalformedParameters) return page('parameters_malformed')
  if (!isOutage(error)) throw error
  logger.warn({ error, request_id: ctx.state.request_id }, 'a login could not begin or go on')
  return { ...page('unavailable'), login: 'server_error', retry_after_seconds: limits.retry_after_seconds }
}

async function render(ctx: Context, outcome: Outcome, deps: Deps): Promise<void> {
  const { settings, cookies, retry_after_seconds } = outcome
  if (settings !== undefined) ctx.state.site_name = `${settings.account}/${settings.site_id}`
  if (cookies !== undefined) ctx.set('Set-Cookie', [...cookies])
  if (retry_after_seconds !== undefined) ctx.set('Retry-After', String(retry_after_seconds))
  if (outcome.kind === 'redirect') return redirect(ctx, outcome.location, outcome.status)
  const branding = await brandPage(ctx, settings, deps)
  if (outcome.kind === 'page') renderPage(ctx, outcome.page)
  else if (outcome.kind === 'choice') renderChoice(ctx, outcome.choice, branding)
  else renderConfirmation(ctx, outcome.confirmation, branding)
}

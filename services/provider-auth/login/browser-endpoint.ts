import type { RouterContext } from '@koa/router'
import { newCall } from '#bus'
import { limits, type Provider } from '#contracts'
import { callerAddress, MalformedParameters, type RequestState, readFormText, readParameters } from '#http'
import { brandPage } from '../branding/brand-page.ts'
import type { Deps } from '../deps.ts'
import { redirect } from '../http/browser-endpoint.ts'
import { wishedLanguage } from '../pages/language.ts'
import { renderChoice, renderConfirmation, renderPage } from '../pages/render.ts'
import type { Arrival } from './arrival.ts'
import { unavailablePage } from './failure.ts'
import { type Outcome, page } from './outcome.ts'
import { recordAuthorizationRejection } from './record-rejection.ts'

export type Context = RouterContext<RequestState>

type Decide = (arrival: Arrival) => Promise<Outcome>

/** Answers a browser at one of the addresses of a login with what was decided, and counts how the login stands. */
export async function answerBrowser(ctx: Context, deps: Deps, decide: Decide): Promise<Outcome> {
  const outcome = await decideOutcome(ctx, deps, decide)
  deps.authorizeFlows.inc({ provider: providerOf(ctx, deps) ?? 'unknown', outcome: outcome.login })
  await render(ctx, outcome, deps)
  return outcome
}

/** As `answerBrowser`, where an application sends the browser: its rejected requests are recorded for the site's members. */
export async function answerAuthorization(ctx: Context, deps: Deps, decide: Decide): Promise<void> {
  let parameters: Arrival['parameters'] | undefined
  const outcome = await answerBrowser(ctx, deps, (arrival) => {
    parameters = arrival.parameters
    return decide(arrival)
  })
  const address = callerAddress(ctx.req, deps.trusted_hops)
  recordAuthorizationRejection(outcome, { request_id: ctx.state.request_id, parameters, address }, deps)
}

/** The provider that the path names; undefined for a name that is none. */
export function providerOf(ctx: Context, { names }: Pick<Deps, 'names'>): Provider | undefined {
  return names.fromPath(ctx.params.login_provider ?? '')
}

async function decideOutcome(ctx: Context, deps: Deps, decide: Decide): Promise<Outcome> {
  const call = newCall({ request_id: ctx.state.request_id, withinMs: limits.login_deadline_ms })
  try {
    const text = ctx.method === 'POST' ? await readFormText(ctx.req) : ctx.querystring
    const parameters = readParameters(text)
    const uiLocales = parameters.values.get('ui_locales')
    ctx.state.ui_locales = uiLocales
    return await decide({
      provider: providerOf(ctx, deps),
      parameters,
      text,
      cookie: ctx.get('Cookie'),
      address: callerAddress(ctx.req, deps.trusted_hops),
      language: wishedLanguage(uiLocales),
      call,
    })
  } catch (error) {
    return error instanceof MalformedParameters ? page('parameters_malformed') : unavailablePage(error, call, deps)
  }
}

async function render(ctx: Context, outcome: Outcome, deps: Deps): Promise<void> {
  const { settings, cookies, language, retry_after_seconds } = outcome
  if (settings !== undefined) ctx.state.siteName = `${settings.account}/${settings.site_id}`
  if (language !== undefined) ctx.state.ui_locales = language
  if (cookies !== undefined) ctx.set('Set-Cookie', [...cookies])
  if (retry_after_seconds !== undefined) ctx.set('Retry-After', String(retry_after_seconds))
  if (outcome.kind === 'redirect') return redirect(ctx, outcome.location, outcome.status)
  const branding = await brandPage(ctx, settings, deps)
  if (outcome.kind === 'page') renderPage(ctx, outcome.page)
  else if (outcome.kind === 'choice') renderChoice(ctx, outcome.choice, branding)
  else renderConfirmation(ctx, outcome.confirmation, branding)
}

import type { RouterContext } from '@koa/router'
import { type Call, newCall } from '#bus'
import { type LoginKind, limits, type Provider } from '#contracts'
import { callerAddress, MalformedParameters, type RequestState, readFormText, readParameters } from '#http'
import type { Deps } from '../../deps.ts'
import { findBrowserFamily } from '../../domain/browser-family.ts'
import { redirect } from '../../http/browser-endpoint.ts'
import { brandPage } from '../../pages/context/brand-page.ts'
import { splitLocales } from '../../pages/context/language.ts'
import { renderFormPost, renderLinkConfirmation, renderPage, renderProviderChoice } from '../../pages/render.ts'
import { renderAccountView } from '../../pages/render-account.ts'
import { renderTerms } from '../../pages/render-terms.ts'
import { toMetricLabel } from '../../usage/metric-label.ts'
import { toUnavailablePage } from './failure.ts'
import { errorPage, type Outcome } from './outcome.ts'
import { recordAuthorizationRejection } from './record-rejection.ts'
import type { RequestContext } from './request-context.ts'

export type LoginRouterContext = RouterContext<RequestState>

type HandleRequest = (context: RequestContext) => Promise<Outcome>

/** Handles a browser's request, renders its outcome and counts the login state. */
export async function handleBrowserRequest(
  ctx: LoginRouterContext,
  deps: Deps,
  handle: HandleRequest,
): Promise<Outcome> {
  const outcome = await runHandler(ctx, deps, handle)
  const provider = findPathProvider(ctx, deps)
  deps.authorizeFlows.inc({
    provider: provider === undefined ? 'unknown' : toMetricLabel(provider),
    outcome: outcome.login,
  })
  await renderOutcome(ctx, outcome, deps)
  return outcome
}

/** As `handleBrowserRequest`, for pages that are no step of a login. */
export async function handlePageRequest(ctx: LoginRouterContext, deps: Deps, handle: HandleRequest): Promise<void> {
  await renderOutcome(ctx, await runHandler(ctx, deps, handle), deps)
}

/**
 * As `handleBrowserRequest`, for endpoints that applications send browsers to: rejected requests are recorded for the
 * site's members.
 */
export async function handleApplicationRequest(
  ctx: LoginRouterContext,
  kind: LoginKind,
  deps: Deps,
  handle: HandleRequest,
): Promise<void> {
  let context: RequestContext | undefined
  const outcome = await handleBrowserRequest(ctx, deps, (received) => {
    context = received
    return handle(received)
  })
  const address = callerAddress(ctx.req, deps.trusted_hops)
  recordAuthorizationRejection(outcome, { request_id: ctx.state.request_id, kind, context, address }, deps)
}

/**
 * The provider in the path; undefined if it is unknown. Paths of a site's own pages may also name it as in the Web API. A
 * name means the same provider in both forms.
 */
export function findPathProvider(ctx: LoginRouterContext, { names }: Pick<Deps, 'names'>): Provider | undefined {
  const { login_provider = '', site_id } = ctx.params
  return names.fromPath(login_provider) ?? (site_id === undefined ? undefined : names.fromWire(login_provider))
}

async function runHandler(ctx: LoginRouterContext, deps: Deps, handle: HandleRequest): Promise<Outcome> {
  const call = newCall({ request_id: ctx.state.request_id, withinMs: limits.login_deadline_ms })
  try {
    return await handle(await readRequestContext(ctx, deps, call))
  } catch (error) {
    return error instanceof MalformedParameters
      ? errorPage('parameters_malformed')
      : toUnavailablePage(error, call, deps)
  }
}

/** @throws MalformedParameters */
async function readRequestContext(ctx: LoginRouterContext, deps: Deps, call: Call): Promise<RequestContext> {
  const rawParameters = ctx.method === 'POST' ? await readFormText(ctx.req) : ctx.querystring
  const parameters = readParameters(rawParameters)
  const address = callerAddress(ctx.req, deps.trusted_hops)
  const uiLocales = parameters.values.get('ui_locales')
  ctx.state.ui_locales = uiLocales
  return {
    provider: findPathProvider(ctx, deps),
    parameters,
    rawParameters,
    cookie: ctx.get('Cookie'),
    address,
    browser: findBrowserFamily(ctx.get('User-Agent'), ctx.get('Sec-CH-UA')),
    country: deps.findCountry(address),
    language: deps.languages.match(splitLocales(uiLocales)),
    call,
  }
}

async function renderOutcome(ctx: LoginRouterContext, outcome: Outcome, deps: Deps): Promise<void> {
  const { settings, cookies, language, retry_after_seconds } = outcome
  if (settings !== undefined) ctx.state.siteName = `${settings.account}/${settings.site_id}`
  if (language !== undefined) ctx.state.ui_locales = language
  if (cookies !== undefined) ctx.set('Set-Cookie', [...cookies])
  if (retry_after_seconds !== undefined) ctx.set('Retry-After', String(retry_after_seconds))
  if (outcome.kind === 'redirect') return redirect(ctx, outcome.location, outcome.status)
  if (outcome.kind === 'file') return sendFile(ctx, outcome)
  await brandPage(ctx, settings, deps)
  if (outcome.kind === 'form_post') renderFormPost(ctx, outcome.form)
  else if (outcome.kind === 'page') renderPage(ctx, outcome.page, outcome.forward)
  else if (outcome.kind === 'choice') renderProviderChoice(ctx, outcome.choice)
  else if (outcome.kind === 'account') renderAccountView(ctx, outcome.view)
  else if (outcome.kind === 'terms') renderTerms(ctx, outcome.view)
  else renderLinkConfirmation(ctx, outcome.confirmation)
}

function sendFile(ctx: LoginRouterContext, { name, text }: Extract<Outcome, { readonly kind: 'file' }>): void {
  ctx.type = 'application/json; charset=utf-8'
  ctx.set('Content-Disposition', `attachment; filename="${name}"`)
  ctx.body = text
}

import type Router from '@koa/router'
import { newCall } from '#bus'
import { limits, type Provider } from '#contracts'
import { callerAddress, createRouter, MalformedJson, type RequestState, readJson } from '#http'
import type { Deps } from '../../deps.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { jsonEndpoint } from '../../http/json-endpoint.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import type { LoginDurations } from '../../usage/login-durations.ts'
import { toMetricLabel } from '../../usage/metric-label.ts'
import { recordRejection } from '../../usage/record-rejection.ts'
import { findPathProvider, type LoginRouterContext } from '../request/handle-request.ts'
import type { LoginState } from '../request/outcome.ts'
import { findSettingsOfAddress, injectLogin } from './inject.ts'
import { runLogged } from './log-native-login.ts'
import { parseInjectRequest } from './request.ts'
import { limitStartedLogins } from './verify-app-login.ts'

/**
 * Where native apps send what the provider's SDK returned. Pages cannot: the media type of JSON needs a CORS preflight,
 * which has no route.
 */
export function nativeLoginRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  router.use(jsonEndpoint)
  router.all('/:account/:site_id/:login_provider/inject', async (ctx) => {
    const deps = at(ctx)
    const provider = findPathProvider(ctx, deps)
    let settings: SiteProviderSettings | undefined
    let outcome: LoginState = 'success'
    try {
      requirePost(ctx)
      const address = callerAddress(ctx.req, deps.trusted_hops)
      await limitStartedLogins(address, deps)
      const { account = '', site_id = '' } = ctx.params
      const providerSettings = await findSettingsOfAddress({ account, site_id, provider }, deps)
      settings = providerSettings
      const request = parseInjectRequest(await readBody(ctx))
      const call = newCall({ request_id: ctx.state.request_id, withinMs: limits.login_deadline_ms })
      const inject = (durations: LoginDurations) => injectLogin(providerSettings, request, durations, deps, call)
      ctx.body = await runLogged({ settings: providerSettings, client_id: null, address, call }, inject, deps)
    } catch (error) {
      outcome = toOutcome(error)
      if (error instanceof OAuthError && error.status < 500) recordInjectRejection(ctx, provider, error, settings, deps)
      throw error
    } finally {
      deps.authorizeFlows.inc({ provider: provider === undefined ? 'unknown' : toMetricLabel(provider), outcome })
    }
  })
  return router
}

function requirePost(ctx: LoginRouterContext): void {
  if (ctx.method === 'POST') return
  ctx.set('Allow', 'POST')
  throw new OAuthError('method_not_allowed')
}

async function readBody(ctx: LoginRouterContext): Promise<unknown> {
  try {
    return await readJson(ctx.req)
  } catch (error) {
    throw error instanceof MalformedJson ? new OAuthError('body_unreadable') : error
  }
}

function toOutcome(error: unknown): LoginState {
  if (!(error instanceof OAuthError)) return 'server_error'
  if (error.status < 500) return 'client_error'
  return error.key === 'provider_unavailable' ? 'provider_error' : 'server_error'
}

function recordInjectRejection(
  ctx: LoginRouterContext,
  provider: Provider | undefined,
  { code, description, reason }: OAuthError,
  settings: SiteProviderSettings | undefined,
  deps: Deps,
): void {
  const address = callerAddress(ctx.req, deps.trusted_hops)
  recordRejection(
    {
      request_id: ctx.state.request_id,
      endpoint: 'native_login',
      reason: reason === 'too_many_logins' ? reason : 'native_login_rejected',
      kind: 'native',
      provider,
      error: code,
      error_description: description,
      client_id: undefined,
      redirect_uri: undefined,
      site: settings?.site,
      address,
      country: deps.findCountry(address),
    },
    deps,
  )
}

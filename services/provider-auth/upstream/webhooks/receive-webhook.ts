import type { RouterContext } from '@koa/router'
import { newCall } from '#bus'
import type { Provider } from '#contracts'
import { MalformedJson, MalformedParameters, type RequestState } from '#http'
import { createCounter } from '#runtime'
import type { Deps } from '../../deps.ts'
import { type ProviderEvent, WebhookRejected } from '../../domain/provider-event.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { ProviderUnavailable } from '../http-client/fetch.ts'
import { applyProviderEvent } from './apply-event.ts'

type Context = RouterContext<RequestState>

/** Verifies a request and returns its event. */
export type ReadProviderEvent = (ctx: Context, settings: SiteProviderSettings) => Promise<ProviderEvent>

/** Verifies and applies a webhook and counts it; returns the settings that it belongs to. */
export type ReceiveWebhook = (
  ctx: Context,
  provider: Provider,
  read: ReadProviderEvent,
) => Promise<SiteProviderSettings>

/**
 * The response reveals only what it must: 400 for requests that cannot be verified and for unknown settings. 503 makes
 * the provider retry.
 */
export function createWebhookReceiver(deps: Deps): ReceiveWebhook {
  const webhooks = createCounter(deps.registry, 'sociallogin_provider_webhooks_total')
  return async (ctx, provider, read) => {
    let kind = 'unverified'
    const count = (outcome: string) => webhooks.inc({ provider, kind, outcome })
    try {
      const settings = await findSettings(ctx, provider, deps)
      ctx.state.siteName = `${settings.account}/${settings.site_id}`
      const event = await read(ctx, settings)
      kind = event.kind
      count(await applyProviderEvent(event, settings, deps, newCall({ request_id: ctx.state.request_id })))
      return settings
    } catch (error) {
      const isRejected = [WebhookRejected, MalformedJson, MalformedParameters].some(
        (errorType) => error instanceof errorType,
      )
      count(isRejected ? 'rejected' : 'failed')
      deps.logger.warn({ error, provider, kind, request_id: ctx.state.request_id }, 'webhook not applied')
      if (isRejected) throw new OAuthError('webhook_unverified')
      if (error instanceof ProviderUnavailable) throw new OAuthError('unavailable')
      throw error
    }
  }
}

/** Includes disabled settings: the provider still sends webhooks for them. */
async function findSettings(ctx: Context, provider: Provider, deps: Deps): Promise<SiteProviderSettings> {
  const { login_provider_identifier = '' } = ctx.params
  const settings = await deps.siteSettings.findProviderSettings({ provider, login_provider_identifier })
  if (settings === undefined) throw new WebhookRejected()
  return settings
}

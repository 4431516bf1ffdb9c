import type { RouterContext } from '@koa/router'
import { newCall } from '#bus'
import type { Provider } from '#contracts'
import { MalformedJson, MalformedParameters, type RequestState } from '#http'
import { createCounter } from '#runtime'
import type { Deps } from '../deps.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { ProviderUnavailable } from '../outbound/fetch.ts'
import { findProviderSettings } from '../store/provider-settings.ts'
import { applyNotice } from './apply.ts'
import { type Notice, NoticeRefused } from './notice.ts'

type Context = RouterContext<RequestState>

/** Verifies what a request carries. */
export type ReadNotice = (ctx: Context, settings: ProviderSettings) => Promise<Notice>

/** Receives a provider's notices, counting them: reads one, then applies it; answers the settings it came to. */
export type Receive = (ctx: Context, provider: Provider, read: ReadNotice) => Promise<ProviderSettings>

/**
 * The answer says no more than it has to: 400 to what cannot be verified, and to an address of no settings. 503 has the
 * provider send it again.
 */
export function createReceive(deps: Deps): Receive {
  const notices = createCounter(deps.registry, 'sociallogin_notices_total')
  return async (ctx, provider, read) => {
    let kind = 'unverified'
    const count = (outcome: string) => notices.inc({ provider, kind, outcome })
    try {
      const settings = await findSettings(ctx, provider, deps)
      ctx.state.siteName = `${settings.account}/${settings.site_id}`
      const notice = await read(ctx, settings)
      kind = notice.kind
      count(await applyNotice(notice, settings, deps, newCall({ request_id: ctx.state.request_id })))
      return settings
    } catch (error) {
      const refused = [NoticeRefused, MalformedJson, MalformedParameters].some((refusal) => error instanceof refusal)
      count(refused ? 'refused' : 'failed')
      deps.logger.warn({ error, provider, kind, request_id: ctx.state.request_id }, 'a notice was not applied')
      if (refused) throw new OAuthError(400, 'invalid_request', 'The notice cannot be verified.')
      if (error instanceof ProviderUnavailable)
        throw new OAuthError(503, 'temporarily_unavailable', 'Service temporarily unavailable.')
      throw error
    }
  }
}

/** Disabled settings too: the provider still knows people by them. */
async function findSettings(ctx: Context, provider: Provider, deps: Deps): Promise<ProviderSettings> {
  const { login_provider_identifier = '' } = ctx.params
  const settings = await findProviderSettings(deps, { provider, login_provider_identifier })
  if (settings === undefined) throw new NoticeRefused()
  return settings
}

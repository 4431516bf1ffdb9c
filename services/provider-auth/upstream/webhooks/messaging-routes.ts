import type Router from '@koa/router'
import rawBody from 'raw-body'
import { newCall } from '#bus'
import type { Context, RequestState } from '#http'
import { createRouter } from '#http'
import { createCounter } from '#runtime'
import type { Deps } from '../../deps.ts'
import { jsonEndpoint } from '../../http/json-endpoint.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { buildWebhookRoute } from '../../uris.ts'
import { receiveMessagingWebhook, type WebhookOutcome } from './messaging.ts'

/** Maximum length of a webhook's body. Our choice. */
const maxBodyBytes = 1_048_576

const errors: Readonly<Record<Exclude<WebhookOutcome, 'heard'>, OAuthError>> = {
  unknown: new OAuthError('webhook_unknown'),
  forged: new OAuthError('webhook_signature_wrong'),
  malformed: new OAuthError('webhook_malformed'),
}

/** The messaging provider's webhook: end users who add or block the official account. */
export function messagingWebhookRoutes(deps: Deps): Router<RequestState> {
  const router = createRouter()
  const webhooks = createCounter(deps.registry, 'sociallogin_messaging_webhooks_total')
  router.use(jsonEndpoint)
  router.post(buildWebhookRoute('messaging', 'events', deps.names), async (ctx) => {
    let outcome: WebhookOutcome | 'failed' = 'failed'
    try {
      outcome = await receiveRequest(ctx, deps)
    } finally {
      webhooks.inc({ outcome })
    }
    if (outcome !== 'heard') throw errors[outcome]
    ctx.body = {}
  })
  return router
}

async function receiveRequest(ctx: Context & { params: Record<string, string> }, deps: Deps): Promise<WebhookOutcome> {
  const { login_provider_identifier = '' } = ctx.params
  const body = await rawBody(ctx.req, { limit: maxBodyBytes }).catch(() => undefined)
  if (body === undefined) return 'malformed'
  const call = newCall({ request_id: ctx.state.request_id })
  return receiveMessagingWebhook(
    { login_provider_identifier, body, signature: ctx.get('X-Line-Signature') },
    deps,
    call,
  )
}

import type Router from '@koa/router'
import rawBody from 'raw-body'
import { createRouter, type RequestState, readForm, readJson } from '#http'
import type { Deps } from '../../deps.ts'
import { WebhookRejected } from '../../domain/provider-event.ts'
import { jsonEndpoint } from '../../http/json-endpoint.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { brandPage } from '../../pages/context/brand-page.ts'
import { renderDeletionStatus, renderPage } from '../../pages/render.ts'
import { findDataDeletion, insertDataDeletion } from '../../store/data-deletions.ts'
import { buildDeletionStatusUri, buildWebhookRoute } from '../../uris.ts'
import { createWebhookReceiver, type ReadProviderEvent } from './receive-webhook.ts'
import { verifySignedRequest } from './signed-request.ts'

/** Maximum length of a Security Event Token. Our choice. */
const maxTokenBytes = 16_384

/**
 * The webhooks of login providers about deleted, disabled and hijacked accounts, revoked consents and data deletion. They are
 * signed, so no rate limit applies. Those of the search provider follow RFC 8935, which has its own form of errors.
 */
export function providerWebhookRoutes(deps: Deps): Router<RequestState> {
  const { names, knex } = deps
  const router = createRouter()
  router.use(jsonEndpoint)
  const receive = createWebhookReceiver(deps)

  router.post(buildWebhookRoute('device', 'events', names), async (ctx) => {
    await receive(ctx, 'device', async (_, settings) => {
      const payload = ctx.is('json')
        ? findPayload(await readJson(ctx.req))
        : (await readForm(ctx.req)).values.get('payload')
      if (payload === undefined) throw new WebhookRejected()
      return deps.readDeviceEvent(payload, settings)
    })
    ctx.body = {}
  })

  router.post(buildWebhookRoute('search', 'events', names), async (ctx) => {
    try {
      await receive(ctx, 'search', async ({ req }, settings) => {
        const token = await rawBody(req, { limit: maxTokenBytes, encoding: 'utf8' }).catch((cause: unknown) => {
          throw new WebhookRejected({ cause })
        })
        return deps.readSecurityEvent(token, settings)
      })
      ctx.status = 202
      ctx.body = ''
    } catch (error) {
      if (!(error instanceof OAuthError) || error.key !== 'webhook_unverified') throw error
      ctx.status = 400
      ctx.body = { err: 'invalid_request', description: error.description }
    }
  })

  const readSignedEvent =
    (kind: 'consent_revoked' | 'data_deletion'): ReadProviderEvent =>
    async ({ req }, { client_secret }) => {
      const signedRequest = (await readForm(req)).values.get('signed_request') ?? ''
      return { kind, ...verifySignedRequest(signedRequest, client_secret) }
    }
  router.post(buildWebhookRoute('social', 'deauthorize', names), async (ctx) => {
    await receive(ctx, 'social', readSignedEvent('consent_revoked'))
    ctx.body = {}
  })
  router.post(buildWebhookRoute('social', 'data_deletion', names), async (ctx) => {
    const settings = await receive(ctx, 'social', readSignedEvent('data_deletion'))
    const confirmationCode = await insertDataDeletion(knex, settings)
    ctx.body = { url: buildDeletionStatusUri(deps, settings, confirmationCode), confirmation_code: confirmationCode }
  })
  return router
}

/** The page that shows an end user the status of a deletion request. */
export function deletionStatusRoutes(deps: Deps): Router<RequestState> {
  const { names, knex } = deps
  const router = createRouter()
  router.get(`${buildWebhookRoute('social', 'data_deletion', names)}/:confirmation_code`, async (ctx) => {
    const { login_provider_identifier = '', confirmation_code = '' } = ctx.params
    const provider = 'social'
    const settings = await deps.siteSettings.findProviderSettings({ provider, login_provider_identifier })
    const completedAt = settings && (await findDataDeletion(knex, { ...settings, confirmation_code }))
    if (completedAt === undefined) return renderPage(ctx, 'not_found')
    await brandPage(ctx, settings, deps)
    renderDeletionStatus(ctx, { provider, completed_at: completedAt, confirmation_code })
  })
  return router
}

function findPayload(body: unknown): string | undefined {
  const payload: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'payload') : undefined
  return typeof payload === 'string' ? payload : undefined
}

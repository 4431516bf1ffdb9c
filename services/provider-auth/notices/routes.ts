import type Router from '@koa/router'
import { createRouter, type RequestState, readForm, readJson } from '#http'
import { deletionPage, noticeRoute } from '../addresses.ts'
import { brandPage } from '../branding/brand-page.ts'
import type { Deps } from '../deps.ts'
import { dataEndpoint } from '../http/data-endpoint.ts'
import { renderDeletion, renderPage } from '../pages/render.ts'
import { findDataDeletion, insertDataDeletion } from '../store/data-deletions.ts'
import { findProviderSettings } from '../store/provider-settings.ts'
import { NoticeRefused } from './notice.ts'
import { createReceive, type ReadNotice } from './receive.ts'
import { readSignedRequest } from './signed-request.ts'

/** Where login providers tell us that a person left them, or us. Nobody is kept from it by a limit: it is signed. */
export function noticeRoutes(deps: Deps): Router<RequestState> {
  const { names, knex } = deps
  const router = createRouter()
  router.use(dataEndpoint)
  const receive = createReceive(deps)

  router.post(noticeRoute('device', 'events', names), async (ctx) => {
    await receive(ctx, 'device', async (_, settings) => {
      const payload = ctx.is('json')
        ? payloadOf(await readJson(ctx.req))
        : (await readForm(ctx.req)).values.get('payload')
      if (payload === undefined) throw new NoticeRefused()
      return deps.readDeviceNotice(payload, settings)
    })
    ctx.body = {}
  })

  const signedBy =
    (kind: 'consent_revoked' | 'data_deletion'): ReadNotice =>
    async ({ req }, { client_secret }) => {
      const signedRequest = (await readForm(req)).values.get('signed_request') ?? ''
      return { kind, ...readSignedRequest(signedRequest, client_secret) }
    }
  router.post(noticeRoute('social', 'deauthorize', names), async (ctx) => {
    await receive(ctx, 'social', signedBy('consent_revoked'))
    ctx.body = {}
  })
  router.post(noticeRoute('social', 'data_deletion', names), async (ctx) => {
    const settings = await receive(ctx, 'social', signedBy('data_deletion'))
    const confirmationCode = await insertDataDeletion(knex, settings)
    ctx.body = { url: deletionPage(deps, settings, confirmationCode), confirmation_code: confirmationCode }
  })
  return router
}

/** The page on which a person sees what became of a request for deletion. */
export function deletionPageRoutes(deps: Deps): Router<RequestState> {
  const { names, knex } = deps
  const router = createRouter()
  router.get(`${noticeRoute('social', 'data_deletion', names)}/:confirmation_code`, async (ctx) => {
    const { login_provider_identifier = '', confirmation_code = '' } = ctx.params
    const completedAt = await findDataDeletion(knex, { login_provider_identifier, confirmation_code })
    if (completedAt === undefined) return renderPage(ctx, 'not_found')
    const provider = 'social'
    const settings = await findProviderSettings(deps, { provider, login_provider_identifier })
    renderDeletion(
      ctx,
      { provider, completed_at: completedAt, confirmation_code },
      await brandPage(ctx, settings, deps),
    )
  })
  return router
}

function payloadOf(body: unknown): string | undefined {
  const payload: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'payload') : undefined
  return typeof payload === 'string' ? payload : undefined
}

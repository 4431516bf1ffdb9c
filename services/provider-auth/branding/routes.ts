import type Router from '@koa/router'
import { type Language, limits } from '#contracts'
import { createRouter, type RequestState, readParameters } from '#http'
import { authorizeUri } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import { dataEndpoint } from '../http/data-endpoint.ts'
import { invalidRequest } from '../http/oauth-error.ts'
import { readingOf } from '../pages/language.ts'
import { findClient } from '../store/clients.ts'
import { buttonsStylesheet, buttonsStylesheetPath, marks } from './login-buttons.ts'
import { listLoginChoices } from './login-choices.ts'
import { buttonLabelOf, displayNameOf, noBranding, readSiteBranding, sortForSite } from './site-branding.ts'

/** A login button for a page of the application. */
interface ShownButton {
  /** The wire name. */
  readonly provider: string
  readonly name: string
  readonly label: string
  /** For the stylesheet: `class="login-button <class>"`. */
  readonly class: string
  readonly authorization_endpoint: string
}

/** Login buttons for pages of applications: providers in order, labels, styles and marks. */
export function brandingRoutes(deps: Deps): Router<RequestState> {
  const router = createRouter()
  router.use(dataEndpoint)

  router.get('/oauth2/login-buttons', async (ctx) => {
    const { values } = readParameters(ctx.querystring)
    const clientId = values.get('client_id')
    const client = clientId === undefined ? undefined : await findClient(deps.knex, clientId)
    if (client === undefined) throw invalidRequest('client_id is invalid.')
    ctx.state.ui_locales = values.get('ui_locales')
    const { language, texts } = readingOf(ctx)
    ctx.set('Cache-Control', `public, max-age=${limits.login_buttons_cache_seconds}`)
    ctx.vary('Accept-Language')
    ctx.body = {
      language,
      login_buttons: await buttonsOf(client.site, language, texts.choice.way, ctx.state.request_id),
    }
  })
  router.get(buttonsStylesheetPath, (ctx) => {
    ctx.type = 'text/css; charset=utf-8'
    ctx.set('Cache-Control', 'public, max-age=3600')
    ctx.body = buttonsStylesheet
  })
  for (const [path, svg] of marks)
    router.get(path, (ctx) => {
      ctx.type = 'image/svg+xml'
      ctx.set('Cache-Control', 'public, max-age=86400')
      ctx.body = svg
    })

  async function buttonsOf(
    site: number,
    language: Language,
    labelFor: (parameters: { provider: string }) => string,
    requestId: string,
  ): Promise<readonly ShownButton[]> {
    const choices = await listLoginChoices(site, deps)
    const [first] = choices
    const branding = first === undefined ? noBranding : await readSiteBranding(first, deps, requestId)
    return sortForSite(choices, branding).map((one) => ({
      provider: deps.names.wire(one.provider),
      name: displayNameOf(one.provider, language, branding),
      label: buttonLabelOf(one.provider, language, branding, labelFor),
      class: one.provider,
      authorization_endpoint: authorizeUri(deps, one),
    }))
  }
  return router
}

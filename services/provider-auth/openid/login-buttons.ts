import type Router from '@koa/router'
import { limits } from '#contracts'
import { type Context, createRouter, type RequestState, readParameters } from '#http'
import type { Deps } from '../deps.ts'
import type { DepsAt } from '../hosts/deps-at-host.ts'
import { jsonEndpoint } from '../http/json-endpoint.ts'
import { OAuthError } from '../http/oauth-error.ts'
import {
  buttonsStylesheet,
  buttonsStylesheetPath,
  configuredLogosPath,
  logosByPath,
  stylesOfConfigured,
} from '../pages/buttons/login-buttons.ts'
import { type LoginChoice, listLoginChoices } from '../pages/buttons/login-choices.ts'
import { brandPage } from '../pages/context/brand-page.ts'
import { getPageLanguage } from '../pages/context/language.ts'
import { getPageContext } from '../pages/context/page-context.ts'
import { getButtonLabel, getDisplayName, sortForSite } from '../pages/context/site-branding.ts'
import { findConfiguredLogo } from '../store/provider-settings.ts'
import { buildAuthorizeUri } from '../uris.ts'

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

/** Login buttons for applications' pages: providers in order, labels, styles and logos. */
export function brandingRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  router.use(jsonEndpoint)

  router.get('/oauth2/login-buttons', async (ctx) => {
    const deps = at(ctx)
    const { values } = readParameters(ctx.querystring)
    const clientId = values.get('client_id')
    const client = clientId === undefined ? undefined : await deps.siteSettings.findClient(clientId)
    if (client === undefined) throw new OAuthError('client_id_invalid')
    ctx.state.ui_locales = values.get('ui_locales')
    const choices = await listLoginChoices(client.site, deps)
    await brandPage(ctx, choices[0], deps)
    const { language } = getPageLanguage(ctx)
    ctx.set('Cache-Control', `public, max-age=${limits.login_buttons_cache_seconds}`)
    ctx.vary('Accept-Language')
    ctx.body = {
      language,
      login_buttons: listButtons(ctx, choices, deps),
    }
  })
  router.get(buttonsStylesheetPath, async (ctx) => {
    ctx.type = 'text/css; charset=utf-8'
    const deps = at(ctx)
    const { values } = readParameters(ctx.querystring)
    const [clientId, account, siteId] = [values.get('client_id'), values.get('account'), values.get('site_id')]
    const isOfSite = clientId !== undefined || siteId !== undefined
    ctx.set('Cache-Control', `public, max-age=${isOfSite ? limits.login_buttons_cache_seconds : 3_600}`)
    const owner =
      siteId === undefined
        ? clientId && (await deps.siteSettings.findClient(clientId))
        : await deps.siteSettings.findSiteByName({ account, site_id: siteId })
    const choices = owner && deps.isServed(owner.site) ? await listLoginChoices(owner.site, deps) : []
    const looks = choices.flatMap(({ definition, ...one }) => (definition === null ? [] : [{ ...one, definition }]))
    ctx.body = buttonsStylesheet + stylesOfConfigured(looks)
  })
  router.get(`${configuredLogosPath}/:identifier`, async (ctx) => {
    const logo = await findConfiguredLogo(at(ctx).reader, ctx.params.identifier ?? '')
    const [type = '', base64 = ''] = logo?.split(';base64,') ?? []
    if (logo === undefined) return
    ctx.type = type.slice('data:'.length)
    // Opened as a document, it may do nothing either.
    ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    ctx.set('Cache-Control', 'public, max-age=86400')
    ctx.body = Buffer.from(base64, 'base64')
  })
  for (const [path, svg] of logosByPath)
    router.get(path, (ctx) => {
      ctx.type = 'image/svg+xml'
      ctx.set('Cache-Control', 'public, max-age=86400')
      ctx.body = svg
    })
  return router
}

function listButtons(ctx: Context, choices: readonly LoginChoice[], deps: Deps): readonly ShownButton[] {
  const { language, texts } = getPageLanguage(ctx)
  const { branding } = getPageContext(ctx)
  return sortForSite(choices, branding).map((one) => ({
    provider: deps.names.wire(one.provider),
    name: getDisplayName(one.provider, language, branding),
    label: getButtonLabel(one.provider, language, branding, texts.choice.button),
    class: one.provider,
    authorization_endpoint: buildAuthorizeUri(deps, one),
  }))
}

import Router from '@koa/router'
import Koa from 'koa'
import type { IDToken } from 'openid-client'
import type { Config } from './config.ts'
import { buttonStylesheet, type LoginButton, listLoginButtons } from './login-buttons.ts'
import { createLogin, LoginRefused } from './oidc.ts'
import { files, headersFor, show } from './pages.ts'
import { createSessions, recall, remember } from './session.ts'
import { masked, NoSuchUser, readUser, type UserAttribute, type UserProfile } from './web-api.ts'

export function createShop(config: Config): Koa {
  const login = createLogin(config)
  const sessions = createSessions({ secure: config.shop_url.startsWith('https:') })
  const router = new Router()

  router.get('/', async (ctx) => {
    const loggedIn = sessions.find(ctx)?.login !== undefined
    const buttons = loggedIn ? [] : await listLoginButtons(config)
    show(ctx, 200, 'home', { logged_in: loggedIn, buttons, stylesheet: buttonStylesheet(config) })
  })

  router.get('/login/:provider', async (ctx) => {
    const button = (await listLoginButtons(config)).find(({ provider }) => provider === ctx.params.provider)
    if (button === undefined) return
    const { address, pending } = await login.start(button)
    remember(sessions.find(ctx) ?? sessions.start(ctx), pending)
    ctx.redirect(address.href)
  })

  router.get('/callback', async (ctx) => {
    const callback = new URL(`${config.shop_url}/callback${ctx.search}`)
    const pending = recall(sessions.find(ctx), callback.searchParams.get('state'))
    if (pending === undefined) {
      show(ctx, 400, 'problem', { heading: 'This login was not started in this browser, or it took too long.' })
      return
    }
    try {
      sessions.start(ctx, await login.finish(callback, pending))
      ctx.redirect('/account')
    } catch (error) {
      if (!(error instanceof LoginRefused)) throw error
      const heading = `The login was not completed: ${error.error}`
      show(ctx, 200, 'problem', { heading, state_ok: true, again: pending.provider })
    }
  })

  router.get('/account', async (ctx) => {
    const claims = sessions.find(ctx)?.login?.claims
    if (claims === undefined) {
      ctx.redirect('/')
      return
    }
    try {
      const [{ attribute, profile }, buttons] = await Promise.all([
        readUser(config, claims.sub),
        listLoginButtons(config),
      ])
      show(ctx, 200, 'account', accountData(claims, attribute, profile, buttons))
    } catch (error) {
      if (!(error instanceof NoSuchUser)) throw error
      sessions.end(ctx)
      ctx.redirect('/')
    }
  })

  router.post('/logout', async (ctx) => {
    const idToken = sessions.find(ctx)?.login?.id_token
    sessions.end(ctx)
    // The login service has its own session: if it did not end, the next user of this browser could log in as this one.
    ctx.redirect(idToken === undefined ? '/' : (await login.logoutAddress(idToken)).href)
  })

  for (const [path, { type, text }] of files) {
    router.get(path, (ctx) => {
      ctx.type = type
      ctx.body = text
    })
  }
  router.get('/healthz', (ctx) => {
    ctx.body = 'ok\n'
  })

  const shop = new Koa()
  const headers = headersFor(config)
  shop.use(async (ctx, next) => {
    ctx.set(headers)
    try {
      await next()
      if (ctx.status === 404) show(ctx, 404, 'problem', { heading: 'This page does not exist.' })
    } catch (error) {
      // The message says what failed; the rest of such an error can hold codes and tokens.
      console.error(error instanceof Error ? error.message : 'unknown error')
      show(ctx, 502, 'problem', { heading: 'The login service is unavailable. Please try again in a moment.' })
    }
  })
  shop.use(router.routes()).use(router.allowedMethods())
  return shop
}

function accountData(
  claims: IDToken,
  attribute: UserAttribute,
  profile: UserProfile,
  buttons: readonly LoginButton[],
): object {
  const json = (value: unknown) => JSON.stringify(masked(value), null, 2)
  const nameOf = (linked: string) => buttons.find(({ provider }) => provider === linked)?.name ?? linked
  return {
    logged_in: true,
    name: profile.profile.full_name ?? profile.profile.user_name ?? claims.name ?? 'friend',
    user: attribute.user,
    linked: Object.keys(attribute.providers).map(nameOf),
    claims: json(claims),
    attribute: json(attribute),
    profile: json(profile),
  }
}

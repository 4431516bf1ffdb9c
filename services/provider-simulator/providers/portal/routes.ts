import { createRouter } from '#http'
import type { SimulatedProvider, Simulator } from '../provider.ts'
import { authorize, showTopPage } from './authorize.ts'
import { answerTokenErrors } from './errors.ts'
import { metadata } from './metadata.ts'
import { createPortal } from './state.ts'
import { issueTokens } from './token.ts'
import { showUserinfo } from './userinfo.ts'

/** The web-portal provider: Yahoo! JAPAN's YConnect v2. */
export async function openPortal(simulator: Simulator): Promise<SimulatedProvider> {
  const portal = await createPortal(simulator)
  const routes = createRouter('/portal')
  const both = ['GET', 'POST']

  routes.get('Discovery', '/yconnect/v2/.well-known/openid-configuration', (ctx) => {
    ctx.body = metadata(portal)
  })
  routes.get('Keys', '/yconnect/v2/jwks', (ctx) => {
    ctx.set('Cache-Control', 'max-age=3600')
    ctx.body = { keys: portal.certs }
  })
  routes.get('Keys as PEM', '/yconnect/v2/public-keys', (ctx) => {
    ctx.body = portal.public_keys
  })
  routes.register('/yconnect/v2/authorization', both, (ctx) => authorize(ctx, portal), { name: 'Authorization' })
  routes.post('Token', '/yconnect/v2/token', answerTokenErrors, (ctx) => issueTokens(ctx, portal))
  routes.register('/yconnect/v2/attribute', both, (ctx) => showUserinfo(ctx, portal), { name: 'Userinfo' })
  routes.get('Top page', '/', (ctx) => showTopPage(ctx, portal))

  return {
    name: 'portal',
    title: 'Portal',
    issuer: portal.issuer,
    summary:
      'OpenID Connect (RS256) with an audience that is a list and Basic authentication without encoding; a person who denies comes back only with bail=1, and then without an error.',
    routes,
  }
}

import { createRouter } from '#http'
import { answerOAuthErrors } from '../../oauth.ts'
import type { SimulatedProvider, Simulator } from '../provider.ts'
import { authorize } from './authorize.ts'
import { metadata } from './metadata.ts'
import { revoke } from './revoke.ts'
import { createSearch } from './state.ts'
import { issueTokens } from './token.ts'
import { showUserinfo } from './userinfo.ts'

/** The search-engine provider: Google's OpenID Connect. */
export async function openSearch(simulator: Simulator): Promise<SimulatedProvider> {
  const search = await createSearch(simulator)
  const routes = createRouter('/search')

  routes.get('Discovery', '/.well-known/openid-configuration', (ctx) => {
    ctx.body = metadata(search)
  })
  routes.get('Keys', '/oauth2/v3/certs', (ctx) => {
    ctx.body = { keys: search.certs }
  })
  routes.get('Authorization', '/o/oauth2/v2/auth', (ctx) => authorize(ctx, search))
  routes.post('Token', '/token', answerOAuthErrors, (ctx) => issueTokens(ctx, search))
  routes.post('Revoke', '/revoke', answerOAuthErrors, (ctx) => revoke(ctx, search))
  routes.register('/v1/userinfo', ['GET', 'POST'], (ctx) => showUserinfo(ctx, search), { name: 'Userinfo' })

  return {
    name: 'search',
    title: 'Search',
    issuer: search.issuer,
    summary:
      'Textbook OpenID Connect (RS256, several keys) with the issuer in every redirect; a refresh token comes only with offline access and consent.',
    routes,
  }
}

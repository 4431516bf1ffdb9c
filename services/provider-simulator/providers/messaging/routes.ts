import { randomUUID } from 'node:crypto'
import type { Context } from '#http'
import { createRouter } from '#http'
import { answerOAuthErrors } from '../../oauth.ts'
import type { SimulatedProvider, Simulator } from '../provider.ts'
import { authorize } from './authorize.ts'
import { deauthorize, issueChannelToken } from './deauthorize.ts'
import { changeFriend } from './friends.ts'
import { metadata } from './metadata.ts'
import { answerResourceErrors, showFriendship, showProfile, showUserinfo } from './resources.ts'
import { revoke } from './revoke.ts'
import { createMessaging } from './state.ts'
import { issueTokens } from './token.ts'
import { verifyAccessToken, verifyIdToken } from './verify.ts'

/** The messaging provider: LINE Login v2.1 of a web channel. */
export async function openMessaging(simulator: Simulator): Promise<SimulatedProvider> {
  const messaging = await createMessaging(simulator)
  const routes = createRouter('/messaging')
  routes.use((ctx, next) => {
    ctx.set('x-line-request-id', randomUUID())
    return next()
  })

  routes.get('Discovery', '/.well-known/openid-configuration', (ctx) => {
    ctx.body = metadata(messaging)
  })
  routes.get('Keys', '/oauth2/v2.1/certs', (ctx) => {
    ctx.body = { keys: messaging.certs }
  })
  routes.get('Authorization', '/oauth2/v2.1/authorize', (ctx) => authorize(ctx, messaging))
  routes.post('Token', '/oauth2/v2.1/token', answerOAuthErrors, (ctx) => issueTokens(ctx, messaging))
  routes.get('Verify access token', '/oauth2/v2.1/verify', answerOAuthErrors, (ctx) =>
    verifyAccessToken(ctx, messaging),
  )
  routes.post('Verify ID Token', '/oauth2/v2.1/verify', answerOAuthErrors, (ctx) => verifyIdToken(ctx, messaging))
  routes.post('Revoke', '/oauth2/v2.1/revoke', answerOAuthErrors, (ctx) => revoke(ctx, messaging))
  routes.post('Channel token', '/oauth2/v3/token', answerOAuthErrors, (ctx) => issueChannelToken(ctx, messaging))
  routes.post('Deauthorize', '/user/v1/deauthorize', answerResourceErrors, (ctx) => deauthorize(ctx, messaging))
  const userinfo = [answerResourceErrors, (ctx: Context) => showUserinfo(ctx, messaging)]
  routes.register('/oauth2/v2.1/userinfo', ['GET', 'POST'], userinfo, { name: 'Userinfo' })
  routes.get('Profile', '/v2/profile', answerResourceErrors, (ctx) => showProfile(ctx, messaging))
  routes.get('Friendship', '/friendship/v1/status', answerResourceErrors, (ctx) => showFriendship(ctx, messaging))
  routes.post('Friends, of the simulator alone', '/friends', (ctx) => changeFriend(ctx, messaging))

  return {
    name: 'messaging',
    title: 'Messaging',
    issuer: messaging.issuer,
    summary:
      'ID Tokens are signed with the client secret (HS256, no key id) although discovery names ES256; redirects carry errors in upper case; the refresh token never changes.',
    routes,
  }
}

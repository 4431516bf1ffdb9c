import { createRouter } from '#http'
import { answerOAuthErrors } from '../../oauth.ts'
import type { SimulatedProvider, Simulator } from '../provider.ts'
import { changeAccount, events } from './account.ts'
import { authorize } from './authorize.ts'
import { metadata } from './metadata.ts'
import { revoke } from './revoke.ts'
import { createDevice } from './state.ts'
import { issueTokens } from './token.ts'

/** The device provider: Sign in with Apple. */
export async function openDevice(simulator: Simulator): Promise<SimulatedProvider> {
  const device = await createDevice(simulator)
  const routes = createRouter('/device')

  routes.get('Discovery', '/.well-known/openid-configuration', (ctx) => {
    ctx.body = metadata(device)
  })
  routes.get('Keys', '/auth/keys', (ctx) => {
    ctx.body = { keys: device.keys }
  })
  routes.get('Authorization', '/auth/authorize', (ctx) => authorize(ctx, device))
  routes.post('Token', '/auth/token', answerOAuthErrors, (ctx) => issueTokens(ctx, device))
  routes.post('Revoke', '/auth/revoke', answerOAuthErrors, (ctx) => revoke(ctx, device))
  for (const event of events) {
    routes.post(`Account: ${event}`, `/account/${event}`, answerOAuthErrors, (ctx) => changeAccount(ctx, event, device))
  }

  return {
    name: 'device',
    title: 'Device',
    issuer: device.issuer,
    summary:
      'OpenID Connect (RS256, several keys) without userinfo: people come back by a form that their browser posts, with their name at the first consent only, and a client’s secret is a token it signs with ES256. What people do about their account is played by a POST of client_id and user.',
    routes,
  }
}

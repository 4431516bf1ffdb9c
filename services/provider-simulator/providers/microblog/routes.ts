import { createRouter } from '#http'
import { answerOAuthErrors } from '../../oauth.ts'
import type { SimulatedProvider, Simulator } from '../provider.ts'
import { invalidateToken, issueAccessToken } from './access-token.ts'
import { showMe, verifyCredentials } from './account.ts'
import { authenticate } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { answerNumberedErrors } from './errors.ts'
import { issueRequestToken } from './request-token.ts'
import { createMicroblog } from './state.ts'
import { issueTokens, revokeToken } from './token.ts'

/** The microblog provider: X, by OAuth 1.0a and by OAuth 2.0. */
export async function openMicroblog(simulator: Simulator): Promise<SimulatedProvider> {
  const microblog = createMicroblog(simulator)
  const routes = createRouter('/microblog')
  const numbered = answerNumberedErrors

  routes.post('Request token (1.0a)', '/oauth/request_token', numbered, (ctx) => issueRequestToken(ctx, microblog))
  routes.get('Authentication (1.0a)', '/oauth/authenticate', (ctx) => authenticate(ctx, microblog))
  routes.get('Authorization (1.0a)', '/oauth/authorize', (ctx) => authenticate(ctx, microblog))
  routes.post('Access token (1.0a)', '/oauth/access_token', numbered, (ctx) => issueAccessToken(ctx, microblog))
  routes.post('Invalidate token (1.0a)', '/1.1/oauth/invalidate_token.json', numbered, (ctx) =>
    invalidateToken(ctx, microblog),
  )
  routes.get('Account of API 1.1 (1.0a)', '/1.1/account/verify_credentials.json', numbered, (ctx) =>
    verifyCredentials(ctx, microblog),
  )
  routes.get('Account of API 2 (both)', '/2/users/me', numbered, (ctx) => showMe(ctx, microblog))
  routes.get('Authorization (2.0)', '/i/oauth2/authorize', (ctx) => authorize(ctx, microblog))
  routes.post('Token (2.0)', '/2/oauth2/token', answerOAuthErrors, (ctx) => issueTokens(ctx, microblog))
  routes.post('Revoke (2.0)', '/2/oauth2/revoke', answerOAuthErrors, (ctx) => revokeToken(ctx, microblog))

  return {
    name: 'microblog',
    title: 'Microblog',
    issuer: microblog.base,
    summary:
      'OAuth 1.0a with signatures that are checked, tokens without end and “denied” for a person who denies; besides, OAuth 2.0 with mandatory PKCE, Basic authentication without encoding and refresh tokens that are replaced at every use.',
    routes,
  }
}

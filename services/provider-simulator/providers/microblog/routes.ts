import { sendErrors } from '../../oauth/errors.ts'
import type { AddRoutes } from '../../oauth/provider.ts'
import { showMicroblogUser, verifyCredentials } from './account.ts'
import { errorFormat } from './errors.ts'
import { createOAuth1 } from './oauth1.ts'

/** The routes of OAuth 1.0a, and the APIs that return an account. */
export const addMicroblogRoutes: AddRoutes = (routes, server) => {
  const oauth1 = createOAuth1(server)
  const errors = sendErrors(errorFormat)
  routes.post('Request token (1.0a)', '/oauth/request_token', errors, oauth1.issueRequestToken)
  routes.get('Authentication (1.0a)', '/oauth/authenticate', oauth1.authenticate)
  routes.get('Authorization (1.0a)', '/oauth/authorize', oauth1.authenticate)
  routes.post('Access token (1.0a)', '/oauth/access_token', errors, oauth1.issueAccessToken)
  routes.post('Invalidate token (1.0a)', '/1.1/oauth/invalidate_token.json', errors, oauth1.invalidateToken)
  routes.get('Account of API 1.1 (1.0a)', '/1.1/account/verify_credentials.json', errors, (ctx) =>
    verifyCredentials(ctx, oauth1, server),
  )
  routes.get('Account of API 2 (both)', '/2/users/me', errors, (ctx) => showMicroblogUser(ctx, oauth1, server))
}

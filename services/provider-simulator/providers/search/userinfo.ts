import type { Context } from '#http'
import { bearerToken } from '../../oauth.ts'
import { userinfoClaims } from '../../scenarios/id-tokens.ts'
import { grantOf, type Member, memberNamed, type Search } from './state.ts'

/** `GET|POST /v1/userinfo` */
export function showUserinfo(ctx: Context, search: Search): void {
  const grant = grantOf(search.access_tokens, bearerToken(ctx))
  if (grant === undefined) {
    ctx.status = 401
    ctx.set('WWW-Authenticate', `Bearer realm="${search.issuer}", error="invalid_token"`)
    ctx.body = { error: 'invalid_request', error_description: 'Invalid Credentials' }
    return
  }
  const told = claimsAbout(memberNamed(grant.name, search), grant.scopes)
  ctx.body = userinfoClaims(told, search.scenarios.activeFor('search', grant.name))
}

/** What the scopes let an application know of a person. */
export function claimsAbout(member: Member, scopes: readonly string[]) {
  const { sub, name, given_name, family_name, picture, email, email_verified } = member
  return {
    sub,
    ...(scopes.includes('profile') ? { name, given_name, family_name, picture } : {}),
    ...(scopes.includes('email') ? { email, email_verified } : {}),
  }
}

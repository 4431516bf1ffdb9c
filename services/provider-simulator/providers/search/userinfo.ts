import type { Context } from '#http'
import { bearerToken } from '../../oauth.ts'
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
  ctx.body = claimsAbout(memberNamed(grant.name, search), grant.scopes)
}

/** What the scopes let an application know of a person. */
export function claimsAbout(member: Member, scopes: readonly string[]): Record<string, unknown> {
  const { sub, name, given_name, family_name, picture, email } = member
  return {
    sub,
    ...(scopes.includes('profile') ? { name, given_name, family_name, picture } : {}),
    ...(scopes.includes('email') ? { email, email_verified: true } : {}),
  }
}

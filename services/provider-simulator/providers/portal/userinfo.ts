import type { Context } from '#http'
import { bearerToken } from '../../oauth.ts'
import { userinfoClaims } from '../../scenarios/id-tokens.ts'
import { type Member, memberNamed } from './member.ts'
import type { Grant, Portal } from './state.ts'

/**
 * `GET|POST /yconnect/v2/attribute`, at a host of its own at the real provider. The access token counts in the header alone.
 * The status for an application that is not approved is not documented.
 */
export function showUserinfo(ctx: Context, portal: Portal): void {
  const grant = portal.access_tokens.get(bearerToken(ctx))
  if (grant === undefined) {
    refuse(ctx, 401, 'invalid_token', 'The access token is missing, unknown or over.')
  } else if (!portal.clients.find('portal', grant.client_id)?.userinfo_approved) {
    refuse(ctx, 403, 'insufficient_scope', 'The application is not approved to read attributes.')
  } else {
    const told = claimsAbout(memberNamed(grant.name, portal), grant)
    ctx.body = userinfoClaims(told, portal.scenarios.activeFor('portal', grant.name))
  }
}

function refuse(ctx: Context, status: number, error: string, error_description: string): void {
  ctx.status = status
  ctx.set('WWW-Authenticate', `Bearer error="${error}",error_description="${error_description}"`)
  ctx.body = { error, error_description }
}

/** What the scopes let an application know of a person. */
function claimsAbout(
  { sub, name, names, picture, gender, birthdate, address, email, email_verified }: Member,
  { scopes }: Grant,
) {
  const profile = {
    name,
    ...names,
    gender,
    birthdate,
    nickname: name,
    picture,
    zoneinfo: 'Asia/Tokyo',
    locale: 'ja-JP',
  }
  return {
    sub,
    ...(scopes.includes('profile') ? profile : {}),
    ...(scopes.includes('email') ? { email, email_verified } : {}),
    ...(scopes.includes('address') ? { address } : {}),
  }
}

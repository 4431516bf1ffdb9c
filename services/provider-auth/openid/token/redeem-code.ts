import type { Call } from '#bus'
import { Fault, isLoginEnded, limits, type RejectionReason, type User } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { isCodeVerifierValid } from '../../domain/pkce.ts'
import { listReceivedData } from '../../domain/received-data.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { signIdToken } from '../../response/id-token.ts'
import { readUserClaims, toIdTokenClaims } from '../../response/user-claims.ts'
import { newAccessToken } from '../../store/access-tokens.ts'
import { consumeCode, findCode, type PresentedCode, revokeCode } from '../../store/authorization-codes.ts'
import type { TokenRequest } from './token-request.ts'

/** The token response of RFC 6749 5.1 and OpenID Connect Core 3.1.3.3. */
export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly id_token: string
  readonly scope: string
}

/**
 * Exchanges an authorization code for tokens, once (RFC 6749 4.1.3). The user is resolved before the code is consumed,
 * so that the client can retry if identity is unavailable. A wrong redirect_uri or code_verifier consumes the code (RFC
 * 9700 2.1.1).
 *
 * @throws OAuthError `invalid_grant`
 */
export async function redeemAuthorizationCode(
  { code, redirect_uri, code_verifier }: TokenRequest,
  client: RegisteredClient,
  deps: Deps,
  call: Call,
): Promise<TokenResponse> {
  const { knex, reader, loginLog } = deps
  const presented = { site: client.site, code, client_id: client.client_id }
  const login = await findCode(reader, presented)
  if (login === undefined) throw invalidGrant('code_invalid', null)
  const { site, login_id } = login
  const rejectReuse = () => rejectReusedCode(presented, login_id, deps)
  if (!login.redeemable) throw await rejectReuse()

  const [user, userClaims] = await Promise.all([findUser(login, deps, call), readUserClaims(client, login, deps, call)])
  const reject = async (reason: RejectionReason) =>
    (await consumeCode(knex, presented)) ? invalidGrant(reason, login_id) : rejectReuse()
  if (user === undefined) throw await reject('user_deleted')
  if (isLoginEnded(user, login.recorded_at)) throw await reject('user_blocked')
  if (login.redirect_uri !== redirect_uri) throw await reject('code_of_another_redirect_uri')
  if (!isCodeVerifierValid(code_verifier, login)) throw await reject('code_verifier_wrong')

  const accessToken = newAccessToken(client.site)
  // Signed first: a code that is consumed has its tokens.
  const idToken = await signIdToken(deps, {
    ...login,
    client,
    primary_key: user.primary_key,
    claims: toIdTokenClaims(userClaims),
    access_token: accessToken,
  })
  const issued = { access_token: accessToken, received: listReceivedData(login.scope, client) }
  if (!(await consumeCode(knex, presented, issued))) throw await rejectReuse()
  if (login_id !== null) loginLog.add({ site, login_id, redeemed_at: Date.now() })
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: limits.access_token_seconds,
    id_token: idToken,
    scope: login.scope.join(' '),
  }
}

/** The code was used before, perhaps by an attacker, so its tokens are revoked (RFC 6749 4.1.2). */
async function rejectReusedCode(
  presented: PresentedCode,
  loginId: string | null,
  { knex }: Pick<Deps, 'knex'>,
): Promise<OAuthError> {
  await revokeCode(knex, presented)
  return invalidGrant('code_invalid', loginId)
}

/** The user of a login; undefined if it was deleted. */
async function findUser(
  { site, identifier }: { site: number; identifier: string },
  { identity }: Deps,
  call: Call,
): Promise<User | undefined> {
  try {
    const { user } = await identity.resolveUser({ site, identifier }, call)
    return user
  } catch (error) {
    if (error instanceof Fault && error.fault === 'entity_not_found') return undefined
    throw error
  }
}

/** Callers get the same error for every reason. */
function invalidGrant(reason: RejectionReason, loginId: string | null): OAuthError {
  return new OAuthError('code_invalid').withReason(reason).ofLogin(loginId)
}

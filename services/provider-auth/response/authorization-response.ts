import type { Knex } from 'knex'
import type { Provider, User } from '#contracts'
import { newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import type { AuthorizationRequest } from '../domain/authorization-request.ts'
import type { RegisteredClient } from '../domain/client.ts'
import type { RecordedLinkLogin } from '../domain/link-record.ts'
import { listReceivedData } from '../domain/received-data.ts'
import { listDataScopes } from '../domain/scopes.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { insertAuthorizationCode } from '../store/authorization-codes.ts'
import { recordRecipient } from '../store/data-recipients.ts'
import { signIdToken } from './id-token.ts'

/** What an application learns about a login, whether the user has just logged in or has a session. */
export interface AuthenticatedLogin {
  readonly user: Pick<User, 'identifier' | 'primary_key'>
  readonly provider_user_id: string
  readonly auth_time: Date
  readonly claims: Readonly<Record<string, unknown>>
}

/** The response to an authorization request: a code, or an ID Token in the `id_token` flow. */
export interface AuthorizationResponse {
  readonly request: AuthorizationRequest
  readonly client: RegisteredClient
  readonly login: AuthenticatedLogin
  /** Unused in the `id_token` flow. */
  readonly code: string
  /** The login in the log of logins; null: a session, or a request of a native app. */
  readonly login_id: string | null
}

export function createAuthorizationResponse(
  request: AuthorizationRequest,
  client: RegisteredClient,
  login: AuthenticatedLogin,
  loginId: string | null,
): AuthorizationResponse {
  return { request, client, login, code: newToken(tokenPrefixes.authorization_code), login_id: loginId }
}

/**
 * Stores the code and the login it is redeemed for. ID Tokens are not stored, but that the application receives one, as the token
 * endpoint does when a code is redeemed.
 */
export async function storeAuthorizationResponse(
  trx: Knex.Transaction,
  { request, client, login, code, login_id }: AuthorizationResponse,
  recorded: RecordedLinkLogin,
  { encryptor }: Pick<Deps, 'encryptor'>,
): Promise<void> {
  if (request.response_type !== 'code') {
    const { client_id } = client
    const { site, link_id } = recorded
    // Without an access token, the application cannot read metadata with its scope.
    const received = listReceivedData(listDataScopes(request.scope), client)
    await recordRecipient(trx, { site, link_id, client_id, received })
    return
  }
  const { client_id, redirect_uri, scope, nonce, code_challenge, code_challenge_method } = request
  const { provider_user_id, auth_time, claims } = login
  const requested = { client_id, redirect_uri, scope, nonce, code_challenge, code_challenge_method }
  await insertAuthorizationCode(trx, encryptor, {
    code,
    ...recorded,
    provider_user_id,
    ...requested,
    auth_time,
    claims,
    login_id,
  })
}

/** The parameters for the application: `code` or `id_token`. */
export async function toResponseParameters(
  { request, client, login, code }: AuthorizationResponse,
  provider: Provider,
  deps: Deps,
): Promise<Readonly<Record<string, string>>> {
  if (request.response_type === 'code') return { code }
  const { user, ...rest } = login
  const { identifier, primary_key } = user
  const { nonce } = request
  return { id_token: await signIdToken(deps, { client, identifier, primary_key, provider, nonce, ...rest }) }
}

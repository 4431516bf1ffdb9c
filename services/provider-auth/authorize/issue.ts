import type { Knex } from 'knex'
import type { User } from '#contracts'
import { newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import type { RecordedLogin } from '../domain/link-login.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { insertAuthorizationCode } from '../store/authorization-codes.ts'
import type { RegisteredClient } from '../store/clients.ts'
import { signIdToken } from '../token/id-token.ts'
import type { AuthorizationRequest } from './request.ts'

/** What an application is told of, whether the person has just logged in or has a session. */
export interface ToldLogin {
  readonly user: Pick<User, 'identifier' | 'primary_key'>
  readonly provider_user_id: string
  readonly auth_time: Date
  readonly claims: Readonly<Record<string, unknown>>
}

/** What an application gets for its request: a `code`, to be stored first, or an `id_token`. */
export interface Issuance {
  readonly store: (trx: Knex.Transaction, recorded: RecordedLogin) => Promise<void>
  readonly parameters: (recorded: Pick<RecordedLogin, 'provider'>) => Promise<Readonly<Record<string, string>>>
}

export function issue(
  request: AuthorizationRequest,
  client: RegisteredClient,
  { user, provider_user_id, auth_time, claims }: ToldLogin,
  deps: Deps,
): Issuance {
  if (request.response_type === 'code') {
    const code = newToken(tokenPrefixes.authorization_code)
    const { client_id, redirect_uri, scope, nonce, code_challenge, code_challenge_method } = request
    const asked = { client_id, redirect_uri, scope, nonce, code_challenge, code_challenge_method }
    return {
      store: (trx, recorded) =>
        insertAuthorizationCode(trx, deps.sealer, { code, ...recorded, provider_user_id, ...asked, auth_time, claims }),
      parameters: async () => ({ code }),
    }
  }
  const { identifier, primary_key } = user
  const { nonce } = request
  return {
    store: async () => undefined,
    parameters: async ({ provider }) => {
      const told = { client, identifier, primary_key, provider, provider_user_id, nonce, auth_time, claims }
      return { id_token: await signIdToken(deps, told) }
    },
  }
}

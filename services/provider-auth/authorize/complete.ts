import type { Call } from '#bus'
import { newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import { toClaims } from '../domain/claims.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import type { Login } from '../providers/provider.ts'
import { insertAuthorizationCode } from '../store/authorization-codes.ts'
import type { RegisteredClient } from '../store/clients.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'
import { signIdToken } from '../token/id-token.ts'
import { keep } from './keep.ts'
import type { AuthorizationRequest } from './request.ts'

/** A login that the provider vouches for. */
export interface Vouched<Request> {
  /** Names this login: recorded twice it counts once. */
  readonly login: string
  readonly request: Request
  readonly client: RegisteredClient
  readonly settings: ProviderSettings
  /** What the provider told. */
  readonly told: Login
}

/**
 * Records a login everywhere, the user first. Answers what the application gets: a `code`, or an `id_token`.
 *
 * @throws Fault when identity is away
 */
export async function complete(
  vouched: Vouched<AuthorizationRequest>,
  deps: Deps,
  call: Call,
): Promise<Readonly<Record<string, string>>> {
  const { login, request, client, settings, told } = vouched
  const { site, provider } = settings
  const { provider_user_id, data } = told
  const { user, recorded_at } = await deps.identity.recordLogin({ site, login, provider, provider_user_id }, call)

  const { identifier, primary_key } = user
  const person = { identifier, provider, provider_user_id }
  const auth_time = told.auth_time ?? new Date()
  const claims = toClaims(data, request.scope)
  const code = request.response_type === 'code' ? newToken(tokenPrefixes.authorization_code) : undefined
  const supplied = { login, settings, identifier, told, recorded_at }
  await keep(
    supplied,
    async (trx, brought) => {
      if (code === undefined) return
      const { client_id, redirect_uri, scope, nonce, code_challenge, code_challenge_method } = request
      const asked = { client_id, redirect_uri, scope, nonce, code_challenge, code_challenge_method }
      await insertAuthorizationCode(trx, deps.sealer, {
        code,
        ...brought,
        provider_user_id,
        ...asked,
        auth_time,
        claims,
      })
    },
    deps,
    call,
  )
  if (code !== undefined) return { code }
  const { nonce } = request
  return { id_token: await signIdToken(deps, { client, ...person, primary_key, nonce, auth_time, claims }) }
}

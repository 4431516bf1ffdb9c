import type { Call } from '#bus'
import { transaction } from '#database'
import { newToken, toTimestamp } from '#runtime'
import { toClaims } from '../domain/claims.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import type { Login } from '../providers/provider.ts'
import { insertAuthorizationCode } from '../store/authorization-codes.ts'
import type { RegisteredClient } from '../store/clients.ts'
import { upsertCredential } from '../store/credentials.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'
import { signIdToken } from '../token/id-token.ts'
import type { AuthorizeDeps } from './arrival.ts'
import { enqueueTellings, type Telling, tellFollowers } from './followers.ts'
import type { AuthorizationRequest } from './request.ts'

/** A login that the provider vouches for. */
interface Vouched {
  /** Names this login: recorded twice it counts once. */
  readonly login: string
  readonly request: AuthorizationRequest
  readonly client: RegisteredClient
  readonly settings: ProviderSettings
  /** What the provider told. */
  readonly told: Login
}

/**
 * Records a login everywhere: the user first, then in one transaction what the provider gave, the code, and what other
 * services are to be told. Answers what the application gets: a `code`, or an `id_token`.
 *
 * @throws Fault when identity is away
 */
export async function complete(
  { login, request, client, settings, told }: Vouched,
  deps: AuthorizeDeps,
  call: Call,
): Promise<Readonly<Record<string, string>>> {
  const { site, provider } = settings
  const { provider_user_id, credential, data } = told
  const now = new Date()
  const { user } = await deps.identity.recordLogin({ site, login, provider, provider_user_id }, call)

  const subject = { site, identifier: user.identifier }
  const person = { ...subject, provider, provider_user_id }
  const auth_time = told.auth_time ?? now
  const claims = toClaims(data, request.scope)
  const tellings = tellingsOf(told, { ...subject, provider, obtained_at: toTimestamp(now) })
  const code = request.response_type === 'code' ? newToken(tokenPrefixes.authorization_code) : undefined

  await transaction(deps.knex, async (trx) => {
    await upsertCredential(trx, deps.sealer, { ...subject, provider, ...credential })
    if (code !== undefined) {
      const { client_id, redirect_uri, scope, nonce, code_challenge, code_challenge_method } = request
      const asked = { client_id, redirect_uri, scope, nonce, code_challenge, code_challenge_method }
      await insertAuthorizationCode(trx, deps.sealer, { code, ...person, ...asked, auth_time, claims })
    }
    await enqueueTellings(trx, deps, login, tellings)
  })
  await tellFollowers(deps, login, tellings, call)

  if (code !== undefined) return { code }
  const { primary_key } = user
  const { nonce } = request
  return { id_token: await signIdToken(deps, { client, ...person, primary_key, nonce, auth_time, claims }) }
}

function tellingsOf(
  { data, friendship_status }: Login,
  {
    provider,
    ...seen
  }: { site: number; identifier: string; provider: ProviderSettings['provider']; obtained_at: string },
): Telling[] {
  const provider_data: Telling = { what: 'provider_data', input: { ...seen, provider, data } }
  return friendship_status === undefined
    ? [provider_data]
    : [provider_data, { what: 'friend_status', input: { ...seen, friendship_status } }]
}

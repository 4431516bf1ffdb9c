import type { Call } from '#bus'
import type { ProviderExchange } from '#contracts'
import type { Deps } from '../../deps.ts'
import { resolveAuthTime } from '../../domain/auth-time.ts'
import type { AuthorizationRequest } from '../../domain/authorization-request.ts'
import { toClaims } from '../../domain/claims.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { createLoginRequiredError } from '../../domain/interaction-required.ts'
import type { ProviderLogin } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { listDataScopes } from '../../domain/scopes.ts'
import {
  createAuthorizationResponse,
  storeAuthorizationResponse,
  toResponseParameters,
} from '../../response/authorization-response.ts'
import { readResponseClaims } from '../../response/user-claims.ts'
import { countRecordedLogin } from '../../usage/count-login.ts'
import { findOpenDocuments } from '../documents/open-documents.ts'
import type { PendingTerms } from '../documents/pending-terms.ts'
import type { RequestContext } from '../request/request-context.ts'
import { rememberProvider } from '../session/last-provider.ts'
import { readSession, renewSession } from '../session/session.ts'
import { requireHintedUser, satisfiesMaxAge } from './hinted-user.ts'
import { persistLogin, type StoreResponse } from './persist-login.ts'
import { recordSuppliedLogin } from './record-supplied-login.ts'
import { toSuppliedLogin } from './supplied-login.ts'
import { recordTestLogin } from './test-login.ts'

/** A login that the provider verified. */
export interface VerifiedLogin<Request> {
  /** The login's ID: recording it twice counts once. */
  readonly login: string
  readonly request: Request
  readonly client: RegisteredClient
  readonly settings: SiteProviderSettings
  readonly providerLogin: ProviderLogin
  /** The requests to the provider, for a test login. */
  readonly exchanges: ProviderExchange[]
}

/** The parameters for the application, `Set-Cookie` fields for the browser, and the user. */
export interface CompletedLogin {
  readonly parameters: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly user: LoggedInUser
}

/** A login that is recorded, and waits for the end user's answers to the documents of the site. */
export interface WaitingLogin extends Omit<CompletedLogin, 'parameters'> {
  readonly waiting: Pick<PendingTerms, 'link_id' | 'recorded_at' | 'provider_user_id' | 'auth_time_ms' | 'claims'>
}

export interface LoggedInUser {
  readonly identifier: string
  /** Whether the login created the user. */
  readonly created: boolean
}

/**
 * Records a login in all services, the user first, and starts the browser's session with the site. The application
 * receives a `code` or an `id_token`, unless the end user first has to answer to documents of the site.
 *
 * @throws InteractionRequired if another user than the hinted one logged in, or the provider returned an authentication
 * that is too old
 * @throws Fault if identity is unavailable
 */
export async function completeLogin(
  verified: VerifiedLogin<AuthorizationRequest>,
  { cookie, browser }: Pick<RequestContext, 'cookie' | 'browser'>,
  deps: Deps,
  call: Call,
): Promise<CompletedLogin | WaitingLogin> {
  const { request, client, settings, providerLogin } = verified
  const { site, provider } = settings
  const { provider_user_id, data } = providerLogin
  if (!satisfiesMaxAge(providerLogin.auth_time, request.max_age))
    throw createLoginRequiredError('authentication_too_old')
  const [session] = await Promise.all([readSession(site, cookie, deps), requireHintedUser(verified, deps, call)])
  const supplied = toSuppliedLogin(verified)
  const recorded = await recordSuppliedLogin(supplied, deps, call)
  countRecordedLogin(settings, recorded, deps)
  const { user, link_id, recorded_at } = recorded
  const obtainedAt = new Date(recorded_at)

  const { identifier } = user
  const nowMs = Date.now()
  const same = session?.identifier === identifier && session.provider === provider ? session : undefined
  const authTimeMs = resolveAuthTime(providerLogin.auth_time, same?.auth_time_ms, request, nowMs)
  const continued = same !== undefined && authTimeMs <= same.auth_time_ms
  const dataScopes = listDataScopes(request.scope)
  const claimsOfScopes = toClaims(data, dataScopes, obtainedAt)
  const documents = await findOpenDocuments({ site, identifier }, deps, call)
  const createResponse = async () => {
    const userClaims = await readResponseClaims(request, client, { site, identifier }, deps, call)
    const claims = { ...claimsOfScopes, ...userClaims }
    const authenticated = { user, provider_user_id, auth_time: new Date(authTimeMs), claims }
    return createAuthorizationResponse(request, client, authenticated, verified.login)
  }
  // A login that waits for answers gets its response after them.
  const response = documents.length === 0 ? await createResponse() : undefined
  const storeResponse: StoreResponse = async (trx, loginRecorded) => {
    if (response !== undefined) await storeAuthorizationResponse(trx, response, loginRecorded, deps)
  }
  await persistLogin(supplied, recorded, storeResponse, deps, call)

  const linkedUser = { site, identifier, link_id, provider, provider_user_id, recorded_at }
  const beganAtMs = continued ? same.began_at_ms : nowMs
  const claims = Object.fromEntries(dataScopes.map((scope) => [scope, toClaims(data, [scope], obtainedAt)]))
  const cookies = await renewSession(
    {
      ...linkedUser,
      auth_time_ms: authTimeMs,
      began_at_ms: beganAtMs,
      browser,
      claims,
      provider_id_token: providerLogin.id_token,
    },
    session,
    cookie,
    deps,
  )
  const remembered = await rememberProvider(settings, deps)
  const outcome = {
    outcome: 'came',
    identifier,
    claims: providerLogin.claims,
    exchanges: verified.exchanges,
  } as const
  await recordTestLogin(request, settings, outcome, deps)
  const completed = { cookies: [...cookies, ...remembered], user: { identifier, created: recorded.created } }
  return response === undefined
    ? {
        ...completed,
        waiting: { link_id, recorded_at, provider_user_id, auth_time_ms: authTimeMs, claims: claimsOfScopes },
      }
    : { ...completed, parameters: await toResponseParameters(response, provider, deps) }
}

import { type Call, newCall } from '#bus'
import { limits } from '#contracts'
import type { Deps } from '../../deps.ts'
import { AuthorizationRequest } from '../../domain/authorization-request.ts'
import { toClaims } from '../../domain/claims.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { listDataScopes } from '../../domain/scopes.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { persistLogin } from '../../login/callback/persist-login.ts'
import { recordSuppliedLogin } from '../../login/callback/record-supplied-login.ts'
import { toSuppliedLogin } from '../../login/callback/supplied-login.ts'
import { acceptDocumentsInApp } from '../../login/documents/accept-in-app.ts'
import { type NativeResult, runLogged } from '../../login/native-login/log-native-login.ts'
import {
  limitStartedLogins,
  toRecordingError,
  type VerifiedAppLogin,
  verifyAppLogin,
} from '../../login/native-login/verify-app-login.ts'
import { createAuthorizationResponse, storeAuthorizationResponse } from '../../response/authorization-response.ts'
import { countRecordedLogin } from '../../usage/count-login.ts'
import { type LoginDurations, timeStep } from '../../usage/login-durations.ts'
import type { TokenGrant } from '../token/grants.ts'
import { redeemAuthorizationCode, type TokenResponse } from '../token/redeem-code.ts'
import { accessTokenType, type ExchangeRequest, parseExchangeRequest } from './exchange-request.ts'

/** The response of RFC 8693 2.2.1, with an ID Token (OpenID Connect Core 3.1.3.3). */
export interface ExchangeResponse extends TokenResponse {
  readonly issued_token_type: string
}

/** The code never leaves the service, so it has no redirect URI. */
const noRedirect = ''

/**
 * Exchanges a login provider's token, which a native app received from the provider's SDK, for our tokens. The login takes
 * the path of every login: its code is redeemed here instead of by the client.
 */
export const exchangeProviderToken: TokenGrant = async (
  { form, client, address, request_id },
  deps,
): Promise<ExchangeResponse> => {
  const call = newCall({ request_id, withinMs: limits.login_deadline_ms })
  const request = parseExchangeRequest(form, client, deps.names)
  const settings = await deps.siteSettings.findProviderSettings({ provider: request.provider, site: client.site })
  if (!settings?.enabled) throw new OAuthError('subject_issuer_unknown')
  await limitStartedLogins(address, deps)
  const attempt = { settings, client_id: client.client_id, address, call }
  return runLogged(attempt, (durations) => exchange(settings, request, client, durations, deps, call), deps)
}

/** @param durations receives those of the steps */
async function exchange(
  settings: SiteProviderSettings,
  request: ExchangeRequest,
  client: RegisteredClient,
  durations: LoginDurations,
  deps: Deps,
  call: Call,
): Promise<NativeResult<ExchangeResponse>> {
  deps.usage.countLogin(settings, 'started')
  const verify = () => verifyAppLogin(settings, request.received, listDataScopes(request.scope), deps, call)
  const verified = await timeStep(durations, 'provider_ms', verify)
  const complete = () => completeExchange(settings, verified, request, client, deps, call)
  const completed = await timeStep(durations, 'recording_ms', complete)
  deps.usage.countLogin(settings, 'completed')
  return completed
}

/** Records the login, and issues the tokens for it. */
async function completeExchange(
  settings: SiteProviderSettings,
  { login, providerLogin, claim }: VerifiedAppLogin,
  { scope, nonce, accepted_documents }: Pick<ExchangeRequest, 'scope' | 'nonce' | 'accepted_documents'>,
  client: RegisteredClient,
  deps: Deps,
  call: Call,
): Promise<NativeResult<ExchangeResponse>> {
  const supplied = toSuppliedLogin({ login, settings, providerLogin })
  const recorded = await recordSuppliedLogin(supplied, deps, call).catch((error: unknown) => {
    throw toRecordingError(error)
  })
  countRecordedLogin(settings, recorded, deps)

  const { user, recorded_at, created } = recorded
  const userOfSite = { site: settings.site, identifier: user.identifier }
  await acceptDocumentsInApp(userOfSite, { login, accepted: accepted_documents }, deps, call)
  const { provider_user_id, data, auth_time: authTime = new Date() } = providerLogin
  const request = AuthorizationRequest.parse({
    client_id: client.client_id,
    redirect_uri: noRedirect,
    response_type: 'code',
    scope,
    nonce,
  })
  const claims = toClaims(data, listDataScopes(scope), new Date(recorded_at))
  const authenticated = { user, provider_user_id, auth_time: authTime, claims }
  const response = createAuthorizationResponse(request, client, authenticated, null)
  await persistLogin(
    supplied,
    recorded,
    async (trx, loginRecorded) => {
      await claim(trx)
      await storeAuthorizationResponse(trx, response, loginRecorded, deps)
    },
    deps,
    call,
  )
  const redeemed = { code: response.code, redirect_uri: noRedirect, code_verifier: undefined }
  const tokens = await redeemAuthorizationCode(redeemed, client, deps, call)
  return {
    response: { ...tokens, issued_token_type: accessTokenType },
    user: { identifier: user.identifier, created },
  }
}

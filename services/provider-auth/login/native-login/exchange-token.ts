import { newCall } from '#bus'
import { limits } from '#contracts'
import { AuthorizationRequest } from '../../domain/authorization-request.ts'
import { toClaims } from '../../domain/claims.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import {
  createAuthorizationResponse,
  storeAuthorizationResponse,
} from '../../openid/response/authorization-response.ts'
import type { TokenGrant } from '../../openid/token/grants.ts'
import { redeemAuthorizationCode, type TokenResponse } from '../../openid/token/redeem-code.ts'
import { countRecordedLogin } from '../../usage/count-login.ts'
import { persistLogin } from '../callback/persist-login.ts'
import { recordSuppliedLogin } from '../callback/record-supplied-login.ts'
import { toSuppliedLogin } from '../callback/supplied-login.ts'
import { accessTokenType, parseExchangeRequest } from './exchange-request.ts'
import { limitStartedLogins, toRecordingError, verifyAppLogin } from './verify-app-login.ts'

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
  const { provider, received, scope, nonce } = parseExchangeRequest(form, client, deps.names)
  const settings = await deps.siteSettings.findProviderSettings({ provider, site: client.site })
  if (!settings?.enabled) throw new OAuthError('subject_issuer_unknown')
  await limitStartedLogins(address, deps)
  deps.usage.countLogin(settings, 'started')
  const { login, providerLogin, claim } = await verifyAppLogin(settings, received, scope, deps, call)
  const supplied = toSuppliedLogin({ login, settings, providerLogin })
  const recorded = await recordSuppliedLogin(supplied, deps, call).catch((error: unknown) => {
    throw toRecordingError(error)
  })
  countRecordedLogin(settings, recorded, deps)

  const { user, recorded_at } = recorded
  const { provider_user_id, data, auth_time: authTime = new Date() } = providerLogin
  const request = AuthorizationRequest.parse({
    client_id: client.client_id,
    redirect_uri: noRedirect,
    response_type: 'code',
    scope,
    nonce,
  })
  const claims = toClaims(data, scope, new Date(recorded_at))
  const response = createAuthorizationResponse(request, client, {
    user,
    provider_user_id,
    auth_time: authTime,
    claims,
  })
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
  deps.usage.countLogin(settings, 'completed')
  return { ...tokens, issued_token_type: accessTokenType }
}

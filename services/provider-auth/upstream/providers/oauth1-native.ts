import type { OAuth1Protocol } from '#contracts'
import type { Claims } from '../../domain/provider-claims.ts'
import { type AppLogin, AppLoginRejected, type NativeLogin } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { Scope } from '../../domain/scopes.ts'
import { OAuth1Error, type SigningCredentials } from './oauth1-request.ts'
import { toExpiryDate } from './token-response.ts'
import type { ProviderUser } from './user-resource.ts'

/** Requests the account of a token's user from the first resource that the application may read. */
export type FetchUser = (
  login: { readonly granted: readonly Scope[]; readonly settings: SiteProviderSettings },
  credentials: SigningCredentials,
  resources?: OAuth1Protocol['users'],
) => Promise<ProviderUser & { claims: Claims }>

/**
 * Verifies the token and secret of a native app: the provider accepts a request that is signed with them only with the
 * consumer key that issued them.
 *
 * @throws AppLoginRejected
 */
export async function verifyOAuth1AppLogin(
  settings: SiteProviderSettings,
  { access_token, access_secret, id_token, expires_in }: AppLogin,
  scope: readonly Scope[],
  fetchUser: FetchUser,
): Promise<NativeLogin> {
  if (access_token === undefined || access_secret === undefined || id_token !== undefined)
    throw new AppLoginRejected('access_secret_invalid')
  const token = { token: access_token, secret: access_secret }
  for (const consumer of listConsumers(settings)) {
    try {
      const { provider_user_id, data, claims } = await fetchUser({ granted: scope, settings }, { ...consumer, token })
      return {
        provider_user_id,
        data,
        claims,
        credential: null,
        app_tokens: {
          client_access_token: access_token,
          client_access_secret: access_secret,
          client_refresh_token: null,
          client_expires_at: expires_in === undefined ? null : toExpiryDate(expires_in),
        },
        auth_time: undefined,
        friendship_status: undefined,
        id_token_ends_at: undefined,
      }
    } catch (error) {
      // The token is invalid, or another consumer key issued it.
      if (!(error instanceof OAuth1Error) || ![400, 401, 403].includes(error.status)) throw error
    }
  }
  throw new AppLoginRejected('app_access_token_invalid')
}

/** The consumer keys of the site: that of its apps, and that of its web logins. */
function listConsumers({ client_id, client_secret, options }: SiteProviderSettings) {
  const { app_client_ids: appId, app_client_secret: appSecret, protocol } = options
  return [
    ...(appId !== undefined && appSecret !== undefined ? [{ client_id: appId, client_secret: appSecret }] : []),
    ...(protocol === 'oauth2' ? [] : [{ client_id, client_secret }]),
  ]
}

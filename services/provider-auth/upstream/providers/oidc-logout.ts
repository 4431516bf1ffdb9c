import { buildEndSessionUrl, type Configuration } from 'openid-client'
import type { OidcProtocol } from '#contracts'
import type { ProviderClient, ProviderLogin } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'

/** A longer ID Token is not sent with a logout, because it is part of a URL. Our choice. */
const maxHintLength = 4_096

/** The logout at a provider (OpenID Connect RP-Initiated Logout 1.0, 2); empty if the provider keeps its session. */
export function connectLogout(
  { endpoints }: OidcProtocol,
  configure: (settings: SiteProviderSettings) => Configuration,
): Pick<ProviderClient, 'buildLogoutUrl'> {
  if (endpoints.endSession === undefined) return {}
  return {
    buildLogoutUrl: (settings, { id_token, return_uri, state }) =>
      buildEndSessionUrl(configure(settings), {
        ...(id_token !== undefined && { id_token_hint: id_token }),
        post_logout_redirect_uri: return_uri,
        state,
      }).href,
  }
}

/** The ID Token that a later logout sends, if it sends one. */
export function keepLogoutHint({ endpoints }: OidcProtocol, idToken: string): Pick<ProviderLogin, 'id_token'> {
  return endpoints.endSession !== undefined && idToken.length <= maxHintLength ? { id_token: idToken } : {}
}

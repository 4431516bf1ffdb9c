import {
  type ClaimMapping,
  type NativeLoginProtocol,
  type OAuth2Protocol,
  type OidcProtocol,
  type ProfileItem,
  type ProviderData,
  ProviderUserId,
} from '#contracts'
import { clockToleranceSeconds } from '#http'
import { listAppClientIds } from '../../domain/app-client-ids.ts'
import { type Claims, omitProtocolClaims } from '../../domain/provider-claims.ts'
import { type AppLogin, AppLoginRejected, type NativeLogin, type ProviderClient } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { limitToRequested, listRequestedItems } from '../../domain/requested-items.ts'
import type { AdapterDeps, DescribedLogin } from './adapter.ts'
import { pickUnsignedClaims } from './callback-claims.ts'
import { createAppIdTokenVerifier, type VerifiedIdToken } from './native-id-token.ts'
import type { AccessTokenUser, ProviderHooks } from './provider-hooks.ts'
import { readClaims } from './read-claims.ts'
import { toExpiryDate } from './token-response.ts'
import { readUserResource } from './user-resource.ts'

/** Creates the function that verifies the logins of native apps, at the provider or at the simulator. */
export function createAppLoginVerifier(
  login: DescribedLogin<OidcProtocol | OAuth2Protocol>,
  { idToken: { jwks, issuer, claims: idTokenRules, ...form }, hasAppFields }: NativeLoginProtocol,
  {
    hooks: { appAccessToken },
    deps: { fetch, toAddress },
  }: { readonly hooks: ProviderHooks; readonly deps: Pick<AdapterDeps, 'fetch' | 'toAddress'> },
): NonNullable<ProviderClient['verifyAppLogin']> {
  const { description, protocol } = login
  const verifyIdToken = createAppIdTokenVerifier({ ...form, issuer: toAddress(issuer), jwks: toAddress(jwks) }, fetch)
  const fetchMapped: typeof fetch = (address, request) => fetch(toAddress(address), request)

  return async (settings, received, scope) => {
    const { access_token } = received
    if (received.access_secret !== undefined) throw new AppLoginRejected('access_secret_invalid')
    if (access_token !== undefined && appAccessToken === undefined)
      throw new AppLoginRejected('access_token_not_accepted')
    if (received.id_token === undefined && !appAccessToken?.saysClient) throw new AppLoginRejected('id_token_required')
    const clientIds = listAppClientIds(settings)
    const idToken =
      received.id_token === undefined ? undefined : await verifyIdToken(received.id_token, received, clientIds)
    const user =
      access_token === undefined
        ? undefined
        : await appAccessToken?.readUser(access_token, { fetch: fetchMapped, settings, scope })
    if (user?.client_id !== undefined && !clientIds.has(user.client_id))
      throw new AppLoginRejected('app_client_unknown')
    const providerUserId = requireSameUser(idToken?.claims.sub, user?.provider_user_id)

    const unsigned = protocol.type === 'oidc' ? pickUnsignedClaims(protocol, received.user) : {}
    const signedClaims = { ...unsigned, ...idToken?.claims }
    const data = readData(login, settings, { idTokenRules, signedClaims, resource: user?.claims })
    // Only the provider's resource has all items. Those that are missing stay as of earlier logins.
    const missing = listRequestedItems(description.supplies, scope).filter(
      (item) => user?.claims === undefined && !hasItem(data, item),
    )
    const authTime = idToken?.claims.auth_time
    return {
      provider_user_id: ProviderUserId.parse(providerUserId),
      ...toStoredTokens(received, settings, { idToken, user, hasAppFields: hasAppFields === true }),
      data: limitToRequested(
        { ...data, not_obtained: [...(data.not_obtained ?? []), ...missing] },
        description.supplies,
        scope,
      ),
      claims: omitProtocolClaims({ ...signedClaims, ...user?.claims }),
      auth_time: typeof authTime === 'number' ? new Date(authTime * 1_000) : undefined,
      friendship_status: user?.friendship_status,
      id_token_ends_at: idToken && new Date((idToken.claims.exp + 2 * clockToleranceSeconds) * 1_000),
    }
  }
}

interface ReceivedClaims {
  /** Rules about the ID Token if they differ from those of web logins. */
  readonly idTokenRules: ClaimMapping | undefined
  readonly signedClaims: Claims
  /** What the access token opened. */
  readonly resource: Claims | undefined
}

function readData(
  { protocol, description }: DescribedLogin<OidcProtocol | OAuth2Protocol>,
  settings: SiteProviderSettings,
  { idTokenRules, signedClaims, resource }: ReceivedClaims,
): ProviderData {
  if (protocol.type === 'oidc') return readClaims(protocol.claims, { ...signedClaims, ...resource })
  if (resource !== undefined) return readUserResource(protocol.user, description, resource, settings).data
  return readClaims(idTokenRules ?? protocol.user.claims, signedClaims)
}

/** The user that the ID Token and the access token name, as far as they were sent and do. */
function requireSameUser(ofIdToken: string | undefined, ofAccessToken: string | undefined): string {
  if (ofIdToken !== undefined && ofAccessToken !== undefined && ofIdToken !== ofAccessToken)
    throw new AppLoginRejected('app_tokens_differ')
  const providerUserId = ofIdToken ?? ofAccessToken
  if (providerUserId === undefined) throw new AppLoginRejected('app_access_token_invalid')
  return providerUserId
}

function hasItem({ profile, email, phone, follow }: ProviderData, item: ProfileItem): boolean {
  if (item === 'email') return email.length > 0
  if (item === 'phone') return phone.length > 0
  return item === 'follow' ? follow !== null : profile[item] !== undefined
}

interface VerifiedTokens {
  readonly idToken: VerifiedIdToken | undefined
  readonly user: AccessTokenUser | undefined
  readonly hasAppFields: boolean
}

/**
 * The tokens to store: in the fields for apps if there are any, otherwise those of our own client, which we can refresh
 * and revoke. Tokens that nothing ties to the login are not stored.
 */
function toStoredTokens(
  { access_token, refresh_token, expires_in }: AppLogin,
  { client_id }: Pick<SiteProviderSettings, 'client_id'>,
  { idToken, user, hasAppFields }: VerifiedTokens,
): Pick<NativeLogin, 'credential' | 'app_tokens'> {
  const belongs = user?.provider_user_id !== undefined || idToken?.has_access_token_hash === true
  if (access_token === undefined || !belongs) return { credential: null, app_tokens: null }
  const sentExpiry = expires_in === undefined ? null : toExpiryDate(expires_in)
  const expiresAt = user?.expires_at === undefined ? sentExpiry : user.expires_at
  if (hasAppFields) {
    const tokens = {
      client_access_token: access_token,
      client_access_secret: null,
      client_refresh_token: refresh_token ?? null,
    }
    return { credential: null, app_tokens: { ...tokens, client_expires_at: expiresAt } }
  }
  const isOurs = (user?.client_id ?? idToken?.client_id) === client_id
  const credential = { access_token, access_secret: null, refresh_token: refresh_token ?? null, expires_at: expiresAt }
  return { credential: isOurs ? credential : null, app_tokens: null }
}

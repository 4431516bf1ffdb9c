import type { LoginProvider, ProfileItem, ProviderData } from '#contracts'
import type { ProviderTokens } from '../../domain/credential.ts'
import type { ExtendedItem } from '../../domain/extended-items.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import type { Claims } from './claims.ts'
import type { NativeDescription } from './native-description.ts'
import type { PassedParameters, Prompt, ProviderManifest } from './provider.ts'

/** Describes a login provider that uses the code flow of OpenID Connect. */
export interface OidcDescription {
  readonly provider: LoginProvider
  readonly manifest: ProviderManifest
  /** The issuer of ID Tokens, and of responses that have `iss` (RFC 9207 2.4). */
  readonly issuer: string
  readonly endpoints: {
    readonly authorization: string
    readonly token: string
    /** Absent if the ID Token contains all claims. */
    readonly userinfo?: string
  }
  /** The algorithm of ID Tokens, with the client secret or a key of the key set. */
  readonly id_token: { readonly alg: 'HS256' } | { readonly alg: 'RS256'; readonly jwks: string }
  /**
   * Our client authentication at the token endpoint: form fields by default. `raw_basic` is Basic without the
   * form-encoding of RFC 6749 2.3.1, for providers that expect ID and secret unencoded. With `signed_secret` the
   * settings contain a private key, and each request has a client secret that is signed with it.
   */
  readonly client_authentication?: 'raw_basic' | 'signed_secret'
  /** The browser returns with a cross-site POST (OAuth 2.0 Form Post Response Mode) only. */
  readonly usesFormPost?: true
  /** False if the provider does not document PKCE (RFC 7636), which is used otherwise. */
  readonly supportsPkce?: false
  /** Parameters of every authorization request. */
  readonly fixedParameters: Readonly<Record<string, string>>
  /** Parameters that the provider settings select; those of the request replace them. */
  readonly toSiteParameters?: (settings: Pick<SiteProviderSettings, 'options'>) => Readonly<Record<string, string>>
  readonly passedParameters: PassedParameters
  /** The provider's `prompt` value for each prompt; absent prompts are not supported. */
  readonly prompts: Readonly<Partial<Record<Prompt, string>>>
  readonly supportsMaxAge: boolean
  /** The provider's scopes for the scopes that the application was granted. */
  readonly toProviderScopes: (
    granted: readonly Scope[],
    settings: Pick<SiteProviderSettings, 'official_account' | 'options'>,
    extendedItems?: readonly ExtendedItem[],
  ) => readonly string[]
  /** Claims in the callback. They are unsigned, so claims of the same name from the provider take precedence. */
  readonly readCallbackClaims?: (returned: URLSearchParams) => Claims
  readonly toProviderData: (claims: Claims) => ProviderData
  /** The items that a login did not request because its scopes, those of the provider, do not cover them. */
  readonly listUnrequestedItems?: (scopes: readonly string[]) => readonly ProfileItem[]
  /**
   * Claims from another resource, with the items that only it supplies. If it fails, the login continues without them.
   */
  readonly additionalClaims?: SupplementaryResource<Claims> & { readonly items: readonly ProfileItem[] }
  /** The friendship status with the official account. If it fails, the login continues without it. */
  readonly friendshipStatus?: SupplementaryResource<boolean>
  /** Whether the callback says that the end user became a friend during this login. */
  readonly isNewFriend?: (returned: URLSearchParams) => boolean
  /** How native apps log in with the provider's SDK; absent if they cannot. */
  readonly native?: Omit<NativeDescription, 'toProviderData'>
  /** Revokes what the end user granted at the provider; absent if the provider has no way to do it. */
  readonly revocation?: ProviderRevocation
}

/** A resource to GET with the access token. */
export interface SupplementaryResource<T> {
  readonly endpoint: string
  /** Parses the response's JSON; throws if it is invalid. */
  readonly read: (body: unknown) => T
}

/** The provider or the simulator; `fetch` maps the real addresses to the simulator. */
export interface ReachableProvider {
  readonly fetch: FetchFromProvider
  readonly issuer: string
}

export interface ProviderRevocation {
  /** An expired access token is refreshed first if possible. */
  readonly needsValidToken: boolean
  /** As `ProviderClient.revoke`, with the provider's real addresses. */
  readonly revoke: (
    settings: SiteProviderSettings,
    tokens: ProviderTokens,
    provider: ReachableProvider,
  ) => Promise<void>
}

/** Maps the provider's addresses to the simulator; the path stays the same. */
export function mapOidcToSimulator(description: OidcDescription, simulatorUrl: string): OidcDescription {
  const base = `${simulatorUrl}/${description.provider}`
  const move = (address: string) => base + new URL(address).pathname.replace(/\/$/, '')
  const { issuer, endpoints, id_token, additionalClaims, friendshipStatus, revocation } = description
  return {
    ...description,
    issuer: move(issuer),
    endpoints: {
      authorization: move(endpoints.authorization),
      token: move(endpoints.token),
      ...(endpoints.userinfo !== undefined && { userinfo: move(endpoints.userinfo) }),
    },
    id_token: id_token.alg === 'RS256' ? { ...id_token, jwks: move(id_token.jwks) } : id_token,
    ...(additionalClaims && { additionalClaims: { ...additionalClaims, endpoint: move(additionalClaims.endpoint) } }),
    ...(friendshipStatus && { friendshipStatus: { ...friendshipStatus, endpoint: move(friendshipStatus.endpoint) } }),
    ...(revocation && {
      revocation: {
        ...revocation,
        revoke: (settings: SiteProviderSettings, tokens: ProviderTokens, { fetch, issuer }: ReachableProvider) =>
          revocation.revoke(settings, tokens, { issuer, fetch: (address, request) => fetch(move(address), request) }),
      },
    }),
  }
}

/** How native apps log in: they supply the same claims as web logins. Undefined if they cannot log in. */
export function toNativeDescription({
  native,
  readCallbackClaims,
  toProviderData,
}: OidcDescription): NativeDescription | undefined {
  return (
    native && {
      ...native,
      readUserOfSdk:
        readCallbackClaims &&
        ((user) => (user === undefined ? {} : readCallbackClaims(new URLSearchParams({ user: JSON.stringify(user) })))),
      toProviderData: (idTokenClaims, resource) => toProviderData({ ...idTokenClaims, ...resource }),
    }
  )
}

import type { LoginProvider, ProfileItem, ProviderData } from '#contracts'
import type { ProviderTokens } from '../domain/credential.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import type { Scope } from '../domain/scopes.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import type { Claims } from './claims.ts'
import type { PassedParameters, Prompt, ProviderManifest } from './provider.ts'

/** A login provider of the OpenID Connect code flow, as data and a few functions. */
export interface OidcDescription {
  readonly provider: LoginProvider
  readonly manifest: ProviderManifest
  readonly issuer: string
  readonly endpoints: {
    readonly authorization: string
    readonly token: string
    /** Absent: the ID Token tells everything. */
    readonly userinfo?: string
  }
  /** The one algorithm ID Tokens may be signed with: under the client secret, or under a key of the JWKS. */
  readonly id_token: { readonly alg: 'HS256' } | { readonly alg: 'RS256'; readonly jwks: string }
  /**
   * How we prove who we are at the token endpoint: by form fields unless said otherwise. `raw_basic` is Basic without the
   * form-encoding of RFC 6749 2.3.1, for providers that take id and secret as they stand. With `signed_secret` the settings have a
   * private key, and each request has a client secret signed with it.
   */
  readonly client_authentication?: 'raw_basic' | 'signed_secret'
  /** Successful answers carry `iss` (RFC 9207), so that one without is refused. */
  readonly sendsIssuer: boolean
  /** The browser returns by a POST from the provider's site (OAuth 2.0 Form Post Response Mode), by no other way. */
  readonly usesFormPost?: true
  /** Proofs of the code (RFC 7636) are sent unless the provider documents none. */
  readonly supportsPkce?: false
  /** Parameters of every authorization request. */
  readonly fixedParameters: Readonly<Record<string, string>>
  readonly passedParameters: PassedParameters
  /** The provider's own `prompt` for what a person can be asked; what is absent it does not know. */
  readonly prompts: Readonly<Partial<Record<Prompt, string>>>
  readonly supportsMaxAge: boolean
  /** Scopes to ask the provider for when an application was granted these. */
  readonly toProviderScopes: (
    granted: readonly Scope[],
    settings: Pick<ProviderSettings, 'official_account'>,
  ) => readonly string[]
  /** Userinfo may be closed to an application, whose logins then obtain no items. */
  readonly isUserinfoOptional?: true
  /** Claims of what the browser returned with: unsigned, so that a claim of the same name from the provider itself counts. */
  readonly readCallbackClaims?: (returned: URLSearchParams) => Claims
  readonly toProviderData: (claims: Claims) => ProviderData
  /** Claims from another resource, with the items that only it supplies. The login continues without them. */
  readonly additionalClaims?: SupplementaryResource<Claims> & { readonly items: readonly ProfileItem[] }
  /** Whether the person is a friend of the official account. The login goes on without it. */
  readonly friendshipStatus?: SupplementaryResource<boolean>
  /** Whether the provider's return says that the person became a friend in this very login. */
  readonly isNewFriend?: (returned: URLSearchParams) => boolean
  /** Ends at the provider what the person granted; absent where it has no way to do it. */
  readonly revocation?: ProviderRevocation
}

/** Something to GET with the access token. */
export interface SupplementaryResource<T> {
  readonly endpoint: string
  /** Reads the answer's JSON; throws when it is not what it should be. */
  readonly read: (body: unknown) => T
}

/** The provider as it is reached, or the simulator in its place; to `fetch` its addresses are the real ones either way. */
export interface ReachableProvider {
  readonly fetch: FetchFromProvider
  readonly issuer: string
}

export interface ProviderRevocation {
  /** An access token that has ended is renewed first, if it can be. */
  readonly needsValidToken: boolean
  /** As `LoginProvider.leave`, with the provider's real addresses. */
  readonly revoke: (settings: ProviderSettings, tokens: ProviderTokens, provider: ReachableProvider) => Promise<void>
}

/** The same provider, played by the simulator: every address keeps its path and moves below the simulator's. */
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
        revoke: (settings: ProviderSettings, tokens: ProviderTokens, { fetch, issuer }: ReachableProvider) =>
          revocation.revoke(settings, tokens, { issuer, fetch: (address, request) => fetch(move(address), request) }),
      },
    }),
  }
}

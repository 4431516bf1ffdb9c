import type { LoginProvider, ProfileItem, ProviderData } from '#contracts'
import type { Tokens } from '../domain/credential.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import type { Scope } from '../domain/scopes.ts'
import type { FetchFromProvider } from '../outbound/fetch.ts'
import type { Claims } from './claims.ts'
import type { Manifest, PassedParameters, Prompt } from './provider.ts'

/** A login provider of the OpenID Connect code flow, as data and a few functions. */
export interface OidcDescription {
  readonly provider: LoginProvider
  readonly manifest: Manifest
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
  readonly answersWithIss: boolean
  /** The browser returns by a POST from the provider's site (OAuth 2.0 Form Post Response Mode), by no other way. */
  readonly returnsByForm?: true
  /** Proofs of the code (RFC 7636) are sent unless the provider documents none. */
  readonly knowsPkce?: false
  /** Parameters of every authorization request. */
  readonly always: Readonly<Record<string, string>>
  readonly passes: PassedParameters
  /** The provider's own `prompt` for what a person can be asked; what is absent it does not know. */
  readonly prompts: Readonly<Partial<Record<Prompt, string>>>
  readonly knowsMaxAge: boolean
  /** Scopes to ask the provider for when an application was granted these. */
  readonly scopesToAsk: (
    granted: readonly Scope[],
    settings: Pick<ProviderSettings, 'official_account'>,
  ) => readonly string[]
  /** Userinfo may be closed to an application, whose logins then obtain no items. */
  readonly userinfoMayBeRefused?: true
  /** Claims of what the browser returned with: unsigned, so that a claim of the same name from the provider itself counts. */
  readonly claimsOfReturn?: (returned: URLSearchParams) => Claims
  readonly toProviderData: (claims: Claims) => ProviderData
  /** Claims from another resource, with the items that only it supplies. The login continues without them. */
  readonly moreClaims?: Supplement<Claims> & { readonly items: readonly ProfileItem[] }
  /** Whether the person is a friend of the official account. The login goes on without it. */
  readonly friendStatus?: Supplement<boolean>
  /** Whether the provider's return says that the person became a friend in this very login. */
  readonly becameFriend?: (returned: URLSearchParams) => boolean
  /** Ends at the provider what the person granted; absent where it has no way to do it. */
  readonly leaving?: Leaving
}

/** Something to GET with the access token. */
export interface Supplement<T> {
  readonly endpoint: string
  /** Reads the answer's JSON; throws when it is not what it should be. */
  readonly read: (answer: unknown) => T
}

/** The provider as it is reached, or the simulator in its place; to `fetch` its addresses are the real ones either way. */
export interface Reached {
  readonly fetch: FetchFromProvider
  readonly issuer: string
}

export interface Leaving {
  /** An access token that has ended is renewed first, if it can be. */
  readonly needsLiveToken: boolean
  /** As `LoginProvider.leave`, with the provider's real addresses. */
  readonly leave: (settings: ProviderSettings, held: Tokens, provider: Reached) => Promise<void>
}

/** The same provider, played by the simulator: every address keeps its path and moves below the simulator's. */
export function atSimulator(description: OidcDescription, simulatorUrl: string): OidcDescription {
  const base = `${simulatorUrl}/${description.provider}`
  const move = (address: string) => base + new URL(address).pathname.replace(/\/$/, '')
  const { issuer, endpoints, id_token, moreClaims, friendStatus, leaving } = description
  return {
    ...description,
    issuer: move(issuer),
    endpoints: {
      authorization: move(endpoints.authorization),
      token: move(endpoints.token),
      ...(endpoints.userinfo !== undefined && { userinfo: move(endpoints.userinfo) }),
    },
    id_token: id_token.alg === 'RS256' ? { ...id_token, jwks: move(id_token.jwks) } : id_token,
    ...(moreClaims && { moreClaims: { ...moreClaims, endpoint: move(moreClaims.endpoint) } }),
    ...(friendStatus && { friendStatus: { ...friendStatus, endpoint: move(friendStatus.endpoint) } }),
    ...(leaving && {
      leaving: {
        ...leaving,
        leave: (settings: ProviderSettings, held: Tokens, { fetch, issuer }: Reached) =>
          leaving.leave(settings, held, { issuer, fetch: (address, request) => fetch(move(address), request) }),
      },
    }),
  }
}

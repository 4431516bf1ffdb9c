import type { JWTPayload } from 'jose'
import type { Context } from '#http'
import type { SimulatedClient } from '../client-registry.ts'
import type { SimulatedUser } from '../simulated-user.ts'
import type { Check } from './checks.ts'
import type { ErrorFields, ErrorFormat } from './errors.ts'
import type { Grant, Grants, Lifetimes, ProviderConsent } from './grants.ts'

/**
 * Everything in which one provider's OAuth 2.0 authorization server differs from another's. The server itself is in
 * this directory and the same for all providers; a provider with `openid` is also an OpenID Provider. Most of a dialect
 * is data; functions are for differences in behavior.
 *
 * To add a provider, write its dialect in `providers/`, and in the same file the routes that only this provider has,
 * e.g. its resources (see `AddRoutes`); then list it in `providers/index.ts`.
 */
export interface Dialect {
  readonly name: string
  readonly title: string
  /** What is special about the provider, in one sentence for the start page and docs/use/sandbox.md. */
  readonly summary: string
  /** The issuer's path below `/<name>`; all paths of the dialect are below it. */
  readonly basePath?: string
  /** The issuer of ID Tokens, if it is not that path. */
  readonly issuer?: string
  /** The names of the client's parameters, if they are not those of RFC 6749 2.3.1. */
  readonly clientParameters?: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined }
  /** Middleware for every endpoint, for what all responses of the provider have in common. */
  readonly middleware?: (ctx: Context, next: () => Promise<unknown>) => Promise<unknown>
  readonly lifetimes: Lifetimes
  /** The end user's ID, as this client sees it. */
  readonly subject: (user: SimulatedUser, client: SimulatedClient) => string

  readonly authorization: AuthorizationEndpoint
  readonly clientAuthentication: ClientAuthentication
  readonly pkce?: Pkce
  readonly code: TokenForm
  readonly accessToken: TokenForm
  readonly refreshToken?: RefreshToken
  readonly token: TokenEndpoint
  readonly revocation?: RevocationEndpoint
  readonly openid?: OpenIdProvider
  /** What the provider's SDK returns in a native app. */
  readonly sdk?: Sdk
}

/** RFC 6749 4.1.1, 4.1.2 */
interface AuthorizationEndpoint {
  readonly path: string
  /** `GET` by default. */
  readonly methods?: readonly string[]
  /** Scopes of a `scope` parameter; by default its words. */
  readonly readScopes?: (scope: string) => readonly string[]

  /** Checks whose errors are shown on a page. They must include those of the client and the redirect URI. */
  readonly checksOnPage: readonly Check[]
  /** Heading and message of that page; by default the message is the error's description. */
  readonly errorPage: (error: ErrorFields) => { readonly heading: string; readonly message?: string }
  /** Further checks, whose errors are sent to the redirect URI. */
  readonly checksToClient?: readonly Check[]
  /** The parameters of such an error; by default `error` and `error_description`. */
  readonly errorParameters?: (error: ErrorFields) => ResponseParameters

  /** What the consent page says that the client receives. */
  readonly shares: (scopes: readonly string[], request: ReadonlyMap<string, string>) => readonly string[]
  /** A checkbox on the consent page, if the request has one. */
  readonly option?: (scopes: readonly string[], request: ReadonlyMap<string, string>) => string | undefined
  /** Records what the end user allowed, for provider-specific behavior. */
  readonly onAllow?: (allowed: Allowed) => {
    readonly parameters?: ResponseParameters
    /** By default a code can be refreshed if the dialect has refresh tokens. */
    readonly isRefreshable?: boolean
  }
  /**
   * The response if the end user denies; undefined if the client gets none and the end user is sent to the start page.
   */
  readonly denial: (request: ReadonlyMap<string, string>) => ResponseParameters | undefined

  /** The client selects query, fragment or form_post with `response_mode` (OAuth 2.0 Form Post Response Mode). */
  readonly hasResponseModes?: boolean
  /** `state` comes before the other parameters of a response. */
  readonly stateFirst?: boolean
  /** Responses contain `iss` (RFC 9207). */
  readonly sendsIssuer?: boolean
  /** The fragment of every redirect. */
  readonly fragment?: string
}

/** Undefined ones are omitted. */
export type ResponseParameters = Readonly<Record<string, string | undefined>>

/** The end user of a grant, as a client sees them. */
export interface Identity {
  readonly client: SimulatedClient
  readonly user: SimulatedUser
  readonly sub: string
}

export interface Allowed extends Identity {
  readonly scopes: readonly string[]
  readonly request: ReadonlyMap<string, string>
  readonly consent: ProviderConsent
  /** The end user has not used the client before, or has withdrawn the consent since. */
  readonly isFirst: boolean
  readonly optionChosen: boolean
}

/** RFC 6749 2.3 */
interface ClientAuthentication {
  /** In the order in which they are tried. `raw_basic` is Basic without the form encoding of RFC 6749 2.3.1. */
  readonly methods: readonly ('form' | 'basic' | 'raw_basic')[]
  /** Without it, a missing ID counts as unknown and a missing secret as wrong. */
  readonly missing?: (name: 'client_id' | 'client_secret') => ErrorFields
  readonly unknownClient: ErrorFields
  readonly wrongSecret: ErrorFields
  /** For secrets that the client signs; returns the error, if any. By default the secret is the registered one. */
  readonly verifySecret?: (secret: string, client: SimulatedClient, issuer: string) => Promise<ErrorFields | undefined>
}

/** RFC 7636 */
interface Pkce {
  /** `code_challenge_method` when the request has none. */
  readonly defaultMethod: 'plain' | 'S256'
  readonly missingVerifier: ErrorFields
  readonly wrongVerifier: ErrorFields
}

/** The format of a code or token. */
interface TokenForm {
  readonly prefix?: string
  /** Number of random bytes. */
  readonly bytes?: number
}

export interface RefreshToken extends TokenForm {
  /** The refresh token of a refresh response. */
  readonly onRefresh: 'omitted' | 'same' | 'replaced'
  readonly invalid: ErrorFields
}

/** RFC 6749 3.2 */
interface TokenEndpoint {
  readonly path: string
  /** `POST` by default. */
  readonly methods?: readonly string[]
  readonly tokenType: 'Bearer' | 'bearer'
  /** The `scope` of a response; absent by default. */
  readonly scope?: (scopes: readonly string[]) => string
  /** Seconds by which `expires_in` is shorter than the lifetime. */
  readonly elapsedSeconds?: number
  /** Required parameters of a code exchange; a missing one is a separate error. `code` by default. */
  readonly requiredForCode?: readonly string[]
  /** Grant types that only this provider has. */
  readonly otherGrants?: Readonly<Record<string, (request: AuthenticatedTokenRequest) => object>>
  /** JSON of RFC 6749 5.2 by default. */
  readonly errorFormat?: ErrorFormat
  readonly missing: (name: string) => ErrorFields
  /** Without it, every other `grant_type` counts as `authorization_code`. */
  readonly unsupportedGrantType?: ErrorFields
  readonly invalidCode: ErrorFields
  readonly redirectUriMismatch: ErrorFields
}

/** A token request of an authenticated client. */
export interface AuthenticatedTokenRequest {
  readonly values: ReadonlyMap<string, string>
  readonly client: SimulatedClient
  readonly grants: Grants
  readonly issueAccessToken: (grant: Grant, lifetimeSeconds?: number) => object
}

/** RFC 7009 */
interface RevocationEndpoint {
  readonly path: string
  /** The parameter with the token. */
  readonly parameter: string
  readonly authenticatesClient: boolean
  /** What a revocation ends: the consent with all tokens, the token, or the token only if it is an access token. */
  readonly ends: 'consent' | 'token' | 'access_token'
  readonly body: object | ''
}

/** What makes the server an OpenID Provider. */
export interface OpenIdProvider {
  /** Fields of the discovery document in addition to the issuer and the endpoints. */
  readonly metadata: object
  readonly keys: {
    readonly path: string
    readonly alg: 'RS256' | 'ES256'
    readonly ids: () => readonly string[]
    /** `Cache-Control` of the key set. */
    readonly maxAgeSeconds?: number
  }
  readonly idToken: IdTokenForm
  readonly userinfo?: UserinfoEndpoint
}

/** The provider's SDK in a native app. */
interface Sdk {
  /** Its ID Tokens, as far as they differ from those of web logins. */
  readonly idToken?: Partial<Pick<IdTokenForm, 'alg' | 'claims'>>
  /** If the provider is no OpenID Provider: the ID Tokens, and their keys. The issuer has no path. */
  readonly openid?: Pick<OpenIdProvider, 'keys' | 'idToken'>
  /** Whether the SDK returns an access token. */
  readonly hasAccessToken: boolean
  /** The scopes of a login; the end user grants them all. */
  readonly scopes: readonly string[]
}

/** OpenID Connect Core 2 */
export interface IdTokenForm {
  /** HS256 uses the characters of the client secret as the key. */
  readonly alg: 'RS256' | 'ES256' | 'HS256'
  readonly lifetimeSeconds: number
  readonly header: { readonly typ?: 'JWT' }
  readonly audience: 'text' | 'list'
  readonly hasAccessTokenHash: boolean
  /** Claims in addition to iss, sub, aud, exp, iat, nonce, at_hash and c_hash. */
  readonly claims: (identity: Identity, grant: Grant, nonce: string | undefined) => JWTPayload
  readonly onRefresh: boolean
}

/** OpenID Connect Core 5.3 */
interface UserinfoEndpoint {
  readonly path: string
  readonly claims: (identity: Identity, grant: Grant) => object
  readonly errorFormat?: ErrorFormat
  readonly invalidToken: (issuer: string) => ErrorFields
  /** The error for a client that has a valid token but gets no claims. */
  readonly reject?: (grant: Grant, client: SimulatedClient) => ErrorFields | undefined
}

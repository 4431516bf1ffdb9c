import type {
  LoginProvider as LoginProviderName,
  PassedParameters,
  ProfileItem,
  Prompt,
  ProviderData,
  ProviderDefinition,
  ProviderEndpoints,
  ProviderError,
  RejectedField,
} from '#contracts'
import type { AppTokens, ProviderTokens } from './credential.ts'
import type { ExtendedItem } from './extended-items.ts'
import type { Claims } from './provider-claims.ts'
import type { SiteProviderSettings } from './provider-settings.ts'
import type { Scope } from './scopes.ts'

/** A connected login provider, independent of its protocol. */
export interface ProviderClient {
  readonly provider: LoginProviderName
  /** The items that it supplies about an end user. */
  readonly supplies: readonly ProfileItem[]
  readonly passedParameters: PassedParameters
  /** Whether the provider supports `max_age`. */
  readonly supportsMaxAge: boolean
  /** The browser returns with a cross-site POST (form_post) instead of GET. */
  readonly usesFormPost?: boolean
  /** Whether a client secret is usable; absent if any text may be one. */
  readonly isValidSecret?: (clientSecret: string) => Promise<boolean>
  /** Builds the authorization URL to redirect the browser to. */
  readonly startLogin: (
    login: ProviderLoginContext,
    request: ProviderRequest,
  ) => Promise<{ readonly location: string; readonly adapterState: AdapterState }>
  /**
   * @param callback the query of the provider's callback, without `?`, or the posted form
   * @throws ProviderLoginRejected if the provider or the end user denied the login; any other error: the provider's
   * response is invalid
   */
  readonly finishLogin: (
    login: ProviderLoginContext,
    callback: { readonly query: string; readonly adapterState: AdapterState },
  ) => Promise<ProviderLogin>
  /**
   * Verifies at the provider what a native app received from its SDK; absent if apps cannot log in with the provider.
   *
   * @throws AppLoginRejected; any other error: the provider does not respond as it should
   */
  readonly verifyAppLogin?: (
    settings: SiteProviderSettings,
    received: AppLogin,
    scope: readonly Scope[],
  ) => Promise<NativeLogin>
  /** Builds the URL of a logout at the provider; absent if it keeps its session. */
  readonly buildLogoutUrl?: (settings: SiteProviderSettings, logout: ProviderLogout) => string
  /** Requests the friendship status of an access token's user; absent if the provider has none. */
  readonly fetchFriendshipStatus?: (accessToken: string, timeoutMs: number) => Promise<FriendshipStatusResult>
  /**
   * Refreshes tokens (RFC 6749 6); absent if tokens do not expire or cannot be refreshed. If a token of the result is
   * null, the current one stays valid.
   *
   * @param providerUserId the tokens' user, if known: an ID Token in the response must name the same user
   * @throws ReauthenticationRequired if only a login by the end user helps; any other error may be temporary
   */
  readonly refresh?: (
    settings: SiteProviderSettings,
    tokens: ProviderTokens,
    providerUserId?: string,
  ) => Promise<ProviderTokens>
  /**
   * Revokes at the provider what the end user granted: the tokens and the consent. Revoking twice is no error; absent
   * if the provider has no way to do it.
   *
   * @throws any error: retry later
   */
  readonly revoke?: (settings: SiteProviderSettings, tokens: ProviderTokens) => Promise<void>
}

/** What names a provider: a built-in one by itself, one that a site configured with its definition. */
export type ProviderKey = Pick<SiteProviderSettings, 'provider' | 'definition' | 'endpoints'>

export type FindProviderClient = (settings: ProviderKey) => ProviderClient | undefined

/**
 * Returns the addresses of a provider that a site configures: those of its definition, and for the others those of its
 * discovery document (OpenID Connect Discovery 4), which is checked as its key set is.
 */
export type DiscoverEndpoints = (
  definition: ProviderDefinition,
) => Promise<{ readonly endpoints: ProviderEndpoints } | { readonly rejected: RejectedField[] }>

/** The friendship status, or the error for the caller. */
export type FriendshipStatusResult =
  | { readonly friendship_status: boolean }
  | { readonly provider_error: ProviderError }

/** A login at a provider. */
export interface ProviderLoginContext {
  readonly settings: SiteProviderSettings
  /** Our redirect URI, registered at the provider. */
  readonly callbackUri: string
  /** Our random `state`: lower-case hex, because messaging documents an alphanumeric state. */
  readonly state: string
  /** The scopes granted to the application. Only what they cover is requested from the provider. */
  readonly scope: readonly Scope[]
  /** Limits what requires permissions of LINE Profile+; absent: all that the scopes cover. */
  readonly extendedItems?: readonly ExtendedItem[] | undefined
}

/** The parts of the application's request that concern the provider. */
export interface ProviderRequest {
  readonly passedParameters: Readonly<Record<string, string>>
  /** The requested prompts, limited to those that the provider supports. */
  readonly prompts?: readonly Prompt[]
  /** In seconds; for providers that do not support it, the caller uses `prompts`. */
  readonly max_age?: number | null
}

/** A logout at the provider (OpenID Connect RP-Initiated Logout 1.0, 2). */
export interface ProviderLogout {
  /** Of the login. */
  readonly id_token: string | undefined
  readonly return_uri: string
  readonly state: string
}

/** What an adapter needs to finish a login and others must not know, e.g. a nonce and a code_verifier. */
export type AdapterState = Readonly<Record<string, string>>

/** The result of a login at a provider. */
export interface ProviderLogin {
  readonly provider_user_id: string
  readonly credential: ProviderTokens
  /** May contain more than the scopes cover; `not_obtained` lists the items that the provider withheld. */
  readonly data: ProviderData
  /** The source of `data`, by the provider's own names; no tokens. */
  readonly claims: Claims
  /** For a later logout at the provider, if it has one. */
  readonly id_token?: string
  /** When the provider authenticated the end user, if it says so. */
  readonly auth_time: Date | undefined
  /** The friendship status; undefined if it was not requested or the provider did not respond. */
  readonly friendship_status: boolean | undefined
}

/** What a native app received from the provider's SDK, at least one of the two tokens. */
export interface AppLogin {
  readonly access_token?: string | undefined
  /** Of an access token of OAuth 1.0a. */
  readonly access_secret?: string | undefined
  readonly id_token?: string | undefined
  /** The nonce of the ID Token, or the value whose SHA-256 in hexadecimal digits it is. */
  readonly nonce?: string | undefined
  readonly refresh_token?: string | undefined
  /** The lifetime of the access token in seconds, which some providers send only to the app. */
  readonly expires_in?: number | undefined
  /** What the SDK delivers with the tokens about the end user, unsigned. */
  readonly user?: unknown
}

/** The result of a login that a native app made. */
export interface NativeLogin extends Omit<ProviderLogin, 'credential'> {
  /** The tokens if they were issued to our own client; null if there are none. */
  readonly credential: ProviderTokens | null
  /** The tokens if the credential has fields for those of apps. */
  readonly app_tokens: AppTokens | null
  /** Until when the ID Token could be sent again; undefined: none was sent. */
  readonly id_token_ends_at: Date | undefined
}

/** Why the tokens of a native app are rejected; each has a text in `oauthErrors`. */
export type AppLoginRejection =
  | 'access_token_not_accepted'
  | 'id_token_required'
  | 'access_secret_invalid'
  | 'id_token_invalid'
  | 'id_token_expired'
  | 'nonce_wrong'
  | 'app_client_unknown'
  | 'app_access_token_invalid'
  | 'app_tokens_differ'

/** The tokens of a native app do not prove a login. */
export class AppLoginRejected extends Error {
  override readonly name = 'AppLoginRejected'
  readonly rejection: AppLoginRejection

  constructor(rejection: AppLoginRejection, options?: ErrorOptions) {
    super(`The login of a native app is rejected: ${rejection}.`, options)
    this.rejection = rejection
  }
}

/** The tokens can be renewed only by a new login of the end user. */
export class ReauthenticationRequired extends Error {
  override readonly name = 'ReauthenticationRequired'
  constructor(options?: ErrorOptions) {
    super('The end user has to log in at the provider again.', options)
  }
}

/**
 * The provider rejected the login, with its own `error` (specification, "Success" and "Failure" of the authorization
 * endpoint).
 */
export class ProviderLoginRejected extends Error {
  override readonly name = 'ProviderLoginRejected'
  readonly error: string

  constructor(error: string, options?: ErrorOptions) {
    super('The provider rejected the login.', options)
    this.error = error
  }
}

/** The provider responded to our server with an error, usually because the provider settings are wrong. */
export class ProviderRequestFailed extends Error {
  override readonly name: string = 'ProviderRequestFailed'
  /** @param error an error code as in RFC 6749 5.2; other values are not repeated, because the message is logged */
  constructor(error: string, options?: ErrorOptions) {
    super(`The provider responded with ${/^[a-z0-9_]{1,64}$/i.test(error) ? error : 'an unknown error'}.`, options)
  }
}

import type { LoginProvider as LoginProviderName, ProviderData, ProviderError } from '#contracts'
import type { Logger } from '#runtime'
import type { ProviderTokens } from '../domain/credential.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import type { Scope } from '../domain/scopes.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import type { Claims } from './claims.ts'

/** A login provider, whatever its dialect: sends a person there, and reads the person's return. */
export interface ProviderClient {
  readonly provider: LoginProviderName
  readonly passedParameters: PassedParameters
  /** Whether it is told `max_age`. */
  readonly supportsMaxAge: boolean
  /** The person returns by a POST from the provider's site (form_post); otherwise by GET. */
  readonly usesFormPost?: boolean
  /** Whether logins can be made with a client secret; absent where any text may be one. */
  readonly isValidSecret?: (clientSecret: string) => Promise<boolean>
  /** The address to send the browser to. */
  readonly startLogin: (
    login: ProviderLoginContext,
    request: ProviderRequest,
  ) => Promise<{ readonly location: string; readonly adapterState: AdapterState }>
  /**
   * @param query of the provider's callback, without `?`, or the form that it was posted
   * @throws ProviderRefusal when the provider or the person said no; any other error: the provider failed or lied
   */
  readonly finishLogin: (
    login: ProviderLoginContext,
    callback: { readonly query: string; readonly adapterState: AdapterState },
  ) => Promise<ProviderLogin>
  /** Asks whether the person of an access token is a friend of the official account; absent where there are no friends. */
  readonly fetchFriendshipStatus?: (accessToken: string, timeoutMs: number) => Promise<FriendshipStatusResult>
  /**
   * Has the provider give fresh tokens for those held; absent where tokens do not end or cannot be renewed. A token that
   * comes back null stays the one held.
   *
   * @param providerUserId whose tokens they are, where that is known: an ID Token that comes along must name the same
   * @throws ReauthNeeded when only the person can help; any other error: perhaps later
   */
  readonly refresh?: (
    settings: ProviderSettings,
    tokens: ProviderTokens,
    providerUserId?: string,
  ) => Promise<ProviderTokens>
  /**
   * Ends at the provider what the person granted us: revokes the tokens and the consent, as the provider has it. Doing it twice
   * is no error; absent where the provider has no way to do it.
   *
   * @throws any error: to be tried again
   */
  readonly revoke?: (settings: ProviderSettings, tokens: ProviderTokens) => Promise<void>
}

/** What a login provider supplies and how it behaves, in words for people: the documentation's table is made of it. */
export interface ProviderManifest {
  /** What the provider calls its service, e.g. `LINE Login v2.1`. */
  readonly service: string
  readonly protocol: 'OpenID Connect' | 'OAuth 2.0' | 'OAuth 1.0a'
  /** Null where there are no ID Tokens. */
  readonly id_token_alg: 'HS256' | 'RS256' | null
  /** When an e-mail address counts as verified; null: it tells none. */
  readonly email: string | null
  /** How long its access tokens live, e.g. `30 days`, and how they are renewed. */
  readonly access_token: string
  readonly refresh: string
  /** What is done there when a person leaves. */
  readonly revocation: string
  /** What one who integrates it should know, a sentence each. */
  readonly quirks: readonly string[]
}

/** A login provider that is not connected yet. */
export interface Adapter {
  readonly provider: LoginProviderName
  readonly manifest: ProviderManifest
  readonly connect: (connection: AdapterDeps) => ProviderClient
}

/** How our servers reach a login provider. */
export interface AdapterDeps {
  /** Base address of the simulator when it stands in for the provider. */
  readonly simulatorUrl: string | undefined
  readonly fetch: FetchFromProvider
  readonly logger: Logger
}

/** The status, or why the provider did not tell it, in words that may be passed on. */
export type FriendshipStatusResult =
  | { readonly friendship_status: boolean }
  | { readonly provider_error: ProviderError }

/** One login at a provider, from begin to finish. */
export interface ProviderLoginContext {
  readonly settings: ProviderSettings
  /** Our address at which the provider returns the person; registered there. */
  readonly callbackUri: string
  /** Our random handle of this login: lower-case hex, as messaging documents an alphanumeric state. */
  readonly state: string
  /** Scopes granted to the application. The provider is asked for what they cover and no more. */
  readonly scope: readonly Scope[]
}

/** What the application asked for that concerns the provider. */
export interface ProviderRequest {
  readonly passedParameters: Readonly<Record<string, string>>
  /** What the person is to be asked, as far as the provider knows it. */
  readonly prompts?: readonly Prompt[]
  /** In seconds; for a provider that does not know it, the caller asks by `prompts`. */
  readonly max_age?: number | null
}

/** What a person can be asked (OpenID Connect Core 3.1.2.1), the one that counts first where a provider takes one alone. */
export const supportedPrompts = ['login', 'select_account', 'consent'] as const
export type Prompt = (typeof supportedPrompts)[number]

/** What a provider's dialect needs at the finish and nobody else may know, e.g. a nonce and a PKCE verifier. */
export type AdapterState = Readonly<Record<string, string>>

/** What a login at a provider supplied. */
export interface ProviderLogin {
  readonly provider_user_id: string
  readonly credential: ProviderTokens
  /** May hold more than the scopes cover; `not_obtained` names what the provider withheld. */
  readonly data: ProviderData
  /** What `data` was made of, by the provider's own names; no tokens. */
  readonly claims: Claims
  /** When the provider authenticated the person, if it says so. */
  readonly auth_time: Date | undefined
  /** Whether the person is a friend of the official account; undefined when the provider was not asked or did not answer. */
  readonly friendship_status: boolean | undefined
}

/** The tokens held can be renewed by nobody but the person, by logging in again. */
export class ReauthenticationRequired extends Error {
  constructor(options?: ErrorOptions) {
    super('The person has to log in at the provider again.', options)
    this.name = 'ReauthNeeded'
  }
}

/** The provider's own "no", by its own `error` (specification, "Success" and "Failure" of the authorization endpoint). */
export class ProviderLoginRejected extends Error {
  readonly error: string

  constructor(error: string, options?: ErrorOptions) {
    super('The provider refused the login.', options)
    this.name = 'ProviderRefusal'
    this.error = error
  }
}

/** The provider answered our server with an error, most often because the provider settings are wrong. */
export class ProviderRequestFailed extends Error {
  /** @param error a word, as RFC 6749 5.2 has it; anything else is not repeated, for it will be logged */
  constructor(error: string, options?: ErrorOptions) {
    super(`The provider answered ${/^[a-z0-9_]{1,64}$/i.test(error) ? error : 'an error of its own'}.`, options)
    this.name = 'ProviderFailure'
  }
}

/** Parameters of the authorization request that go on to the provider, by name, with the only values they may have. */
export type PassedParameters = Readonly<
  Record<string, { readonly values: readonly string[]; readonly official_account_only?: true }>
>

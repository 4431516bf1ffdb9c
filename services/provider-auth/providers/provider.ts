import type { Provider, ProviderData, ProviderError } from '#contracts'
import type { Scope } from '../domain/scopes.ts'
import type { GivenCredential } from '../store/credentials.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'

/** A login provider, whatever its dialect: sends a person there, and reads the person's return. */
export interface LoginProvider {
  readonly provider: Provider
  readonly passes: PassedParameters
  /** Whether it is told `max_age`. */
  readonly knows_max_age: boolean
  /** The address to send the browser to. */
  readonly begin: (login: LoginAtProvider, asked: Asked) => Promise<{ readonly location: string; readonly kept: Kept }>
  /**
   * @param query of the provider's callback, without `?`
   * @throws ProviderRefusal when the provider or the person said no; any other error: the provider failed or lied
   */
  readonly finish: (login: LoginAtProvider, returned: { readonly query: string; readonly kept: Kept }) => Promise<Login>
  /** Asks whether the person of an access token is a friend of the official account; absent where there are no friends. */
  readonly askFriendStatus?: (access_token: string, timeout_ms: number) => Promise<FriendAnswer>
}

/** The status, or why the provider did not tell it, in words that may be passed on. */
export type FriendAnswer = { readonly friendship_status: boolean } | { readonly provider_error: ProviderError }

/** One login at a provider, from begin to finish. */
export interface LoginAtProvider {
  readonly settings: ProviderSettings
  /** Our address at which the provider returns the person; registered there. */
  readonly callback_uri: string
  /** Our random handle of this login: lower-case hex, as messaging documents an alphanumeric state. */
  readonly state: string
}

/** What the application asked for that concerns the provider. */
export interface Asked {
  readonly scope: readonly Scope[]
  readonly passed: Readonly<Record<string, string>>
  /** What the person is to be asked, as far as the provider knows it. */
  readonly prompts?: readonly Prompt[]
  /** In seconds; for a provider that does not know it, the caller asks by `prompts`. */
  readonly max_age?: number | null
}

/** What a person can be asked (OpenID Connect Core 3.1.2.1), the one that counts first where a provider takes one alone. */
export const askable = ['login', 'select_account', 'consent'] as const
export type Prompt = (typeof askable)[number]

/** What a provider's dialect needs at the finish and nobody else may know, e.g. a nonce and a PKCE verifier. */
export type Kept = Readonly<Record<string, string>>

/** What a login at a provider supplied. */
export interface Login {
  readonly provider_user_id: string
  readonly credential: Pick<GivenCredential, 'access_token' | 'access_secret' | 'refresh_token' | 'expires_at'>
  readonly data: ProviderData
  /** When the provider authenticated the person, if it says so. */
  readonly auth_time: Date | undefined
  /** Whether the person is a friend of the official account; undefined when the provider was not asked or did not answer. */
  readonly friendship_status: boolean | undefined
}

/** The provider's own "no", by its own `error` (specification, "Success" and "Failure" of the authorization endpoint). */
export class ProviderRefusal extends Error {
  readonly error: string

  constructor(error: string, options?: ErrorOptions) {
    super('The provider refused the login.', options)
    this.name = 'ProviderRefusal'
    this.error = error
  }
}

/** The provider answered our server with an error, most often because the provider settings are wrong. */
export class ProviderFailure extends Error {
  /** @param error as RFC 6749 5.2 has it; anything else is not repeated, for it will be logged */
  constructor(error: string, options?: ErrorOptions) {
    super(`The provider answered ${/^[a-z_]{1,64}$/i.test(error) ? error : 'an error of its own'}.`, options)
    this.name = 'ProviderFailure'
  }
}

/** Parameters of the authorization request that go on to the provider, by name, with the only values they may have. */
export type PassedParameters = Readonly<
  Record<string, { readonly values: readonly string[]; readonly official_account_only?: true }>
>

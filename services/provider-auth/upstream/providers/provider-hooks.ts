import type { ProviderTokens } from '../../domain/credential.ts'
import type { Claims } from '../../domain/provider-claims.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'

/** What only one provider does, and no data can describe. Addresses are the real ones. */
export interface ProviderHooks {
  /**
   * How an access token that a native app received identifies its user; absent if apps receive none of use. Without
   * `saysClient`, the provider does not say which client the token was issued to: then only an ID Token of the same user
   * proves a login (OpenID Connect Core 16.11, token substitution).
   */
  readonly appAccessToken?: {
    readonly saysClient: boolean
    /** @throws AppLoginRejected if the provider rejects the token */
    readonly readUser: (accessToken: string, provider: HookContext) => Promise<AccessTokenUser>
  }
  /** Revokes what the end user granted with an access token, which is refreshed first if it has expired. */
  readonly revokeAccess?: (
    settings: SiteProviderSettings,
    tokens: ProviderTokens,
    fetch: FetchFromProvider,
  ) => Promise<void>
}

/** `fetch` maps the real addresses to the simulator. */
export interface HookContext {
  readonly fetch: FetchFromProvider
  readonly settings: SiteProviderSettings
  readonly scope: readonly Scope[]
}

/** What a provider says about an access token. */
export interface AccessTokenUser {
  /** The client that the token was issued to, if the provider says so. */
  readonly client_id: string | undefined
  /** Undefined if the provider withholds the user. */
  readonly provider_user_id: string | undefined
  /** Null: it does not expire; undefined: the provider does not say. */
  readonly expires_at: Date | null | undefined
  readonly claims: Claims | undefined
  readonly friendship_status?: boolean | undefined
}

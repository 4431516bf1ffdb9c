import type { ProviderData } from '#contracts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import type { Claims } from './claims.ts'

/** Describes what native apps receive from a provider's SDK, and how it is verified. */
export interface NativeDescription {
  /** The ID Tokens of SDKs, which can differ from those of web logins. */
  readonly id_token: {
    readonly alg: 'RS256' | 'ES256'
    readonly jwks: string
    readonly issuer: string
    /** Other values of `iss` that the provider documents. */
    readonly otherIssuers?: readonly string[]
  }
  /**
   * How an access token identifies its user; absent if apps receive none of use. Without `saysClient`, the provider does
   * not say which client the token was issued to: then only an ID Token of the same user proves a login (OpenID Connect
   * Core 16.11, token substitution).
   */
  readonly accessToken?: {
    readonly saysClient: boolean
    /** @throws AppLoginRejected if the provider rejects the token */
    readonly readUser: (accessToken: string, provider: NativeContext) => Promise<AccessTokenUser>
  }
  /** The credential has fields of its own for the tokens of apps (specification, "native-app linking"). */
  readonly hasAppFields?: true
  /** What the SDK delivers about the end user in addition to the tokens; unsigned, so signed claims take precedence. */
  readonly readUserOfSdk?: ((user: unknown) => Claims) | undefined
  /** @param resource the claims of `readUser`; undefined without an access token */
  readonly toProviderData: (
    idTokenClaims: Claims,
    resource: Claims | undefined,
    settings: SiteProviderSettings,
  ) => ProviderData
}

/** The provider, at its real addresses. */
export interface NativeContext {
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

/** Maps an address of the provider to the simulator; path and query stay the same. */
export function toSimulatorAddress(address: string, provider: string, simulatorUrl: string): string {
  const { pathname, search } = new URL(address)
  return `${simulatorUrl}/${provider}${pathname.replace(/\/$/, '')}${search}`
}

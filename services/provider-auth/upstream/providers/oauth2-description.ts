import type { ProfileItem, ProviderData } from '#contracts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { NativeDescription } from './native-description.ts'
import type { OidcDescription } from './oidc-description.ts'
import type { Adapter, PassedParameters, Prompt } from './provider.ts'

/**
 * Describes a login provider that uses the code flow of OAuth 2.0 without OpenID Connect: instead of an ID Token, a
 * resource that is requested with the access token identifies the user.
 */
export interface OAuth2Description extends Pick<OidcDescription, 'client_authentication'>, Omit<Adapter, 'connect'> {
  /** Names the provider to the library. It is not compared with `iss` of a response, because the provider documents none. */
  readonly issuer: string
  /** `revocation` (RFC 7009) if the provider supports it. */
  readonly endpoints: Readonly<Record<'authorization' | 'token', string> & { revocation?: string }>
  /** Whether the provider supports PKCE (RFC 7636); then every login has an S256 challenge. */
  readonly supportsPkce: boolean
  /** Parameters of every authorization request. */
  readonly fixedParameters: Readonly<Record<string, string>>
  readonly passedParameters: PassedParameters
  /** The provider's parameters for each prompt; absent prompts are not supported. */
  readonly prompts: Readonly<Partial<Record<Prompt, Readonly<Record<string, string>>>>>
  /** The provider's scopes for the scopes that the application was granted. */
  readonly toProviderScopes: (granted: readonly Scope[], settings: SiteOptions) => readonly string[]
  /** The separator of scopes: a space (RFC 6749 3.3) by default. */
  readonly scopeSeparator?: ','
  readonly userResource: UserResource
  /** Query parameters for requests with an access token, e.g. a proof that the caller knows the client secret. */
  readonly toTokenProof?: (
    accessToken: string,
    settings: Pick<SiteProviderSettings, 'client_secret'>,
  ) => Readonly<Record<string, string>>
  /** How to exchange a token for one with a longer lifetime if there are no refresh tokens. */
  readonly exchange?: TokenExchange
  /** A DELETE request to this address with the access token revokes what the end user granted. */
  readonly deauthorization?: string
  /** How native apps log in with the provider's SDK; absent if they cannot. */
  readonly native?: NativeDescription
  /** Reads an error response that does not follow RFC 6749 5.2; undefined if it is not one. */
  readonly readErrorResponse?: (body: unknown) => ProviderErrorResponse | undefined
}

type SiteOptions = Pick<SiteProviderSettings, 'options'>

/** The resource that identifies the user of an access token. */
export interface UserResource {
  readonly endpoint: string
  /** The query for the items that a login requests. */
  readonly parameters?: (requested: readonly ProfileItem[], settings: SiteOptions) => Readonly<Record<string, string>>
  /** Parses the response's JSON; throws if it is invalid. */
  readonly read: (body: unknown, settings: SiteOptions) => ProviderUser
}

export interface ProviderUser {
  readonly provider_user_id: string
  readonly data: ProviderData
}

/** A grant type that exchanges a valid access token for one with a longer lifetime. */
export interface TokenExchange {
  readonly grant_type: string
  /** The parameter for the access token. */
  readonly parameter: string
  /** Tokens with a shorter lifetime are exchanged at login. */
  readonly minLifetimeSeconds: number
}

/** An error response of the provider to our server. */
export interface ProviderErrorResponse {
  /** The error name for the log. */
  readonly error: string
  /** The code or token is permanently invalid, for whatever reason. */
  readonly endsGrant: boolean
}

/** Maps the provider's addresses to the simulator; path and query stay the same. */
export function mapOAuth2ToSimulator(description: OAuth2Description, simulatorUrl: string): OAuth2Description {
  const move = (address: string) => {
    const { pathname, search } = new URL(address)
    return `${simulatorUrl}/${description.provider}${pathname.replace(/\/$/, '')}${search}`
  }
  const { issuer, endpoints, userResource, deauthorization } = description
  return {
    ...description,
    issuer: move(issuer),
    endpoints: {
      authorization: move(endpoints.authorization),
      token: move(endpoints.token),
      ...(endpoints.revocation !== undefined && { revocation: move(endpoints.revocation) }),
    },
    userResource: { ...userResource, endpoint: move(userResource.endpoint) },
    ...(deauthorization !== undefined && { deauthorization: move(deauthorization) }),
  }
}

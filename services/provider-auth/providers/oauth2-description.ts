import type { ProfileItem, ProviderData } from '#contracts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import type { Scope } from '../domain/scopes.ts'
import type { OidcDescription } from './oidc-description.ts'
import type { Adapter, PassedParameters, Prompt } from './provider.ts'

/**
 * A login provider of OAuth 2.0's code flow without OpenID Connect, as data and a few functions: no ID Token says who the
 * person is, a resource does, asked with the access token.
 */
export interface OAuth2Description extends Pick<OidcDescription, 'client_authentication'>, Omit<Adapter, 'connect'> {
  /** What the provider calls itself should it ever send an `iss` (RFC 9207); another one is refused. */
  readonly issuer: string
  /** `revocation` (RFC 7009) where there is one. */
  readonly endpoints: Readonly<Record<'authorization' | 'token', string> & { revocation?: string }>
  /** Whether it knows PKCE (RFC 7636); then every login has a challenge, by S256. */
  readonly supportsPkce: boolean
  /** Parameters of every authorization request. */
  readonly fixedParameters: Readonly<Record<string, string>>
  readonly passedParameters: PassedParameters
  /** The provider's own parameters for what a person can be asked; what is absent it does not know. */
  readonly prompts: Readonly<Partial<Record<Prompt, Readonly<Record<string, string>>>>>
  /** Scopes to ask the provider for when an application was granted these. */
  readonly toProviderScopes: (granted: readonly Scope[], settings: SiteOptions) => readonly string[]
  /** What stands between scopes: a space (RFC 6749 3.3) unless said otherwise. */
  readonly scopeSeparator?: ','
  readonly userResource: UserResource
  /** Query parameters that go with every access token, e.g. a proof that the caller knows the client secret. */
  readonly toTokenProof?: (
    accessToken: string,
    settings: Pick<ProviderSettings, 'client_secret'>,
  ) => Readonly<Record<string, string>>
  /** How tokens are made to live longer where there are no refresh tokens. */
  readonly exchange?: TokenExchange
  /** An address to which DELETE with the access token ends what the person granted. */
  readonly deauthorization?: string
  /** Reads a refusal that is not of RFC 6749 5.2's form; undefined: it is none. */
  readonly readErrorResponse?: (body: unknown) => ProviderErrorResponse | undefined
}

type SiteOptions = Pick<ProviderSettings, 'options'>

/** What tells whose an access token is. */
export interface UserResource {
  readonly endpoint: string
  /** Its query for the items that a login requests. */
  readonly parameters?: (requested: readonly ProfileItem[], settings: SiteOptions) => Readonly<Record<string, string>>
  /** Reads the answer's JSON; throws when it is not what it should be. */
  readonly read: (body: unknown, settings: SiteOptions) => ProviderUser
}

export interface ProviderUser {
  readonly provider_user_id: string
  readonly data: ProviderData
}

/** A grant of the token endpoint that takes an access token which still lives and gives one that lives longer. */
export interface TokenExchange {
  readonly grant_type: string
  /** The parameter with the access token. */
  readonly parameter: string
  /** Tokens that a login gives for less than this are exchanged at once. */
  readonly minLifetimeSeconds: number
}

/** The provider's no to our server. */
export interface ProviderErrorResponse {
  /** A word for the log. */
  readonly error: string
  /** The code or token presented is over and of no use any more, whatever the reason. */
  readonly endsGrant: boolean
}

/** The same provider, played by the simulator: every address keeps its path and query and moves below the simulator's. */
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

import type { ProfileItem } from '../profile-items.ts'
import type { ClaimMapping, ClaimPointer } from './claims.ts'

/** How end users log in at a provider: its addresses, and in what it differs from the standard of its kind. */
export type LoginProtocol = OidcProtocol | OAuth2Protocol | OAuth1Protocol

/** The code flow of OpenID Connect: an ID Token identifies the end user. */
export interface OidcProtocol extends CodeFlow {
  readonly type: 'oidc'
  readonly endpoints: {
    readonly authorization: string
    readonly token: string
    /** Absent if the ID Token contains all claims. */
    readonly userinfo?: string
    /** Where a logout goes on (OpenID Connect RP-Initiated Logout 1.0, 2.1); absent: the provider keeps its session. */
    readonly endSession?: string
  }
  /** The algorithm of ID Tokens, with the client secret or a key of the key set. */
  readonly idToken: { readonly alg: 'HS256' } | { readonly alg: Exclude<IdTokenAlg, 'HS256'>; readonly jwks: string }
  /** ID Tokens do not repeat the nonce of the request. */
  readonly omitsNonce?: true
  /** Tolerated difference between our clock and the provider's, if it is not the usual one. */
  readonly clockToleranceSeconds?: number
  /** The browser returns with a cross-site POST (OAuth 2.0 Form Post Response Mode) only. */
  readonly usesFormPost?: true
  readonly supportsMaxAge?: true
  /** Rules about the claims of the ID Token, of userinfo, and of what is below. */
  readonly claims: ClaimMapping
  /** Another resource with claims, and the items that only it supplies. Without them, the login continues. */
  readonly additionalClaims?: { readonly endpoint: string; readonly items: readonly ProfileItem[] }
  /**
   * A parameter of the callback with JSON, and the claims in it, by the names that the rules use. The browser delivers
   * them unsigned, so claims of the same name from the provider take precedence.
   */
  readonly callbackClaims?: { readonly parameter: string; readonly claims: Readonly<Record<string, ClaimPointer>> }
  /** The friendship status with the official account. Without it, the login continues. */
  readonly friendship?: {
    readonly endpoint: string
    readonly status: ClaimPointer
    /** The parameter of the callback that is "true" if the end user became a friend during this login. */
    readonly newFriendParameter: string
  }
}

/** The code flow of OAuth 2.0 alone: a resource that is requested with the access token identifies the end user. */
export interface OAuth2Protocol extends CodeFlow {
  readonly type: 'oauth2'
  readonly endpoints: {
    readonly authorization: string
    readonly token: string
    /** Where tokens are refreshed, if not at `token`. */
    readonly refresh?: string
  }
  /** The separator of scopes: a space (RFC 6749 3.3) by default. */
  readonly scopeSeparator?: ','
  /** The names of the client's parameters, if they are not those of RFC 6749 2.3.1. */
  readonly clientParameters?: Readonly<Partial<Record<'client_id' | 'client_secret', string | undefined>>>
  /** Token responses can be forms, without `token_type` or with another one, and errors can have the status 200. */
  readonly hasLooseTokenResponses?: true
  /** Tokens are requested by GET, with the parameters in the query. */
  readonly requestsTokensByGet?: true
  /** The query parameter of resources for the access token: by default, it is in the header `Authorization`. */
  readonly accessTokenParameter?: string
  readonly user: UserResource
  /** Further resources. The claims of each are in those of the user resource, by its name. Without them, the login continues. */
  readonly resources?: Readonly<Record<string, string>>
  /** How to exchange a token for one with a longer lifetime if there are no refresh tokens. */
  readonly exchange?: TokenExchange
  /** A DELETE request to this address with the access token revokes what the end user granted. */
  readonly deauthorization?: string
  /** The parameter for the HMAC-SHA-256 of the access token under the client secret, in hexadecimal digits. */
  readonly tokenProofParameter?: string
  /** Errors that do not follow RFC 6749 5.2, by where their name (if they have one) and their code are. */
  readonly errors?: {
    readonly type?: ClaimPointer
    readonly code: ClaimPointer
    /** Codes for a code or token that is permanently invalid. */
    readonly endingGrant: readonly (number | string)[]
  }
  /** Error names that mean `invalid_grant`. */
  readonly grantErrors?: readonly string[]
}

/** Three-legged OAuth 1.0a (RFC 5849, signed with HMAC-SHA1). */
export interface OAuth1Protocol {
  readonly type: 'oauth1'
  /** `invalidation`: ends the access token that the request is signed with. */
  readonly endpoints: Readonly<Record<'request_token' | 'authorization' | 'access_token' | 'invalidation', string>>
  readonly prompts: Prompts
  /** The first one that does not respond with 403 is used. */
  readonly users: readonly [UserResource, ...UserResource[]]
  /** The provider's error code for an invalid token. */
  readonly invalidTokenCode: number
}

export type IdTokenAlg = 'HS256' | `${'RS' | 'PS' | 'ES'}${'256' | '384' | '512'}` | 'EdDSA'

export type ClientAuthenticationMethod =
  | 'client_secret_post'
  | 'client_secret_basic'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'none'
  | 'raw_basic'
  | 'signed_secret'

interface CodeFlow {
  /**
   * The issuer of ID Tokens, and of responses that have `iss` (RFC 9207 2.4); OAuth 2.0 only names the provider by it. A
   * claim's name in braces stands for the claim: `https://login.example/{tid}/v2.0`.
   */
  readonly issuer: string
  /**
   * Our client authentication: form fields by default. The names are those of OpenID Connect Core 9, and two more:
   * `raw_basic` is Basic without the form-encoding of RFC 6749 2.3.1, for providers that expect ID and secret unencoded.
   * With `signed_secret` the settings contain a private key, and each request has a client secret that is signed with it.
   */
  readonly clientAuthentication?: ClientAuthenticationMethod
  /** Whether every login has an S256 challenge (RFC 7636). */
  readonly usesPkce: boolean
  /** Parameters of every authorization request. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Parameters by the values of options; those of the request replace them. */
  readonly optionParameters?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>
  readonly passedParameters?: PassedParameters
  readonly prompts: Prompts
  readonly scopes: ByScope & {
    /** What official accounts require. */
    readonly officialAccount?: readonly string[]
    /** What is requested if nothing else but `always` is. */
    readonly otherwise?: readonly string[]
  }
  readonly revocation?: TokenRevocation
}

/** What belongs to each scope that the application was granted. */
interface ByScope {
  readonly always: readonly string[]
  readonly profile?: readonly string[]
  readonly email?: readonly string[]
  readonly address?: readonly string[]
  readonly phone?: readonly string[]
}

/** The prompts of OpenID Connect Core 3.1.2.1, by precedence for providers that accept only one. */
export const supportedPrompts = ['login', 'select_account', 'consent'] as const
export type Prompt = (typeof supportedPrompts)[number]

/** The provider's parameters for each prompt; absent prompts are not supported. */
export type Prompts = Readonly<Partial<Record<Prompt, Readonly<Record<string, string>>>>>

/** Parameters of the authorization request that are passed on to the provider, with their allowed values; any without them. */
export type PassedParameters = Readonly<
  Record<string, { readonly values?: readonly string[]; readonly official_account_only?: true }>
>

/** A resource with the end user's account. */
export interface UserResource {
  /** With its fixed query. */
  readonly endpoint: string
  readonly userId: ClaimPointer
  /** The ID may also be an integer. */
  readonly allowsNumericId?: true
  readonly claims: ClaimMapping
  /** A parameter with the names of the requested fields, separated by commas; absent if there are none. */
  readonly fields?: ByScope & { readonly parameter: string }
  /** The parameter that says whether the e-mail address is requested. */
  readonly emailParameter?: string
  /** Further parameters, by where the token response has their values. */
  readonly tokenParameters?: Readonly<Record<string, ClaimPointer>>
}

/** A grant type that exchanges a valid access token for one with a longer lifetime. */
export interface TokenExchange {
  readonly grant_type: string
  /** The parameter for the access token. */
  readonly parameter: string
  /** Tokens with a shorter lifetime are exchanged at login. */
  readonly minLifetimeSeconds: number
}

/** RFC 7009. */
export interface TokenRevocation {
  readonly endpoint: string
  /** `one` token ends the others too: the refresh token if there is one, because it lives longest. */
  readonly tokens: 'one' | 'both'
  /** The provider identifies the client by the token, and documents no other parameter. */
  readonly isAnonymous?: true
}

/** What native apps receive from the provider's SDK. */
export interface NativeLoginProtocol {
  /** The ID Tokens of SDKs, which can differ from those of web logins. */
  readonly idToken: {
    readonly alg: Exclude<IdTokenAlg, 'HS256'>
    readonly jwks: string
    readonly issuer: string
    /** Other values of `iss` that the provider documents. */
    readonly otherIssuers?: readonly string[]
    /** Rules about its claims if they differ from those of web logins; then a resource supplies more than it. */
    readonly claims?: ClaimMapping
  }
  /** The credential has fields of its own for the tokens of apps (specification, "native-app linking"). */
  readonly hasAppFields?: true
}

/** A permission of the provider that opens items and needs its approval. The provider's scope has the same name. */
export interface Permission {
  /** Our scope that covers it. */
  readonly scope: 'profile' | 'address' | 'phone'
  readonly items: readonly ProfileItem[]
  /** The field of the user resource that it opens. */
  readonly field?: string
}

import { z } from 'zod'
import { supportedPrompts } from '../login-providers/index.ts'
import { Text } from '../scalars.ts'
import { ClaimPointer, ClaimRules, standardClaims } from './claim-rules.ts'
import { ProviderButton, ProviderLogo } from './provider-look.ts'

/** An address that an administrator enters. Whether it may be reached is decided when it is. */
const Address = z
  .url({ protocol: /^https?$/, error: 'is no https address' })
  .max(2_048)
  .refine((address) => new URL(address).username === '', 'must not have a user')
const Endpoint = Address.refine((address) => !address.includes('#'), 'must not have a fragment')

const Name = z.string().regex(/^[\w.:/*-]{1,200}$/, 'has characters that names do not have')
const Names = z.array(Name).max(50)
const ParameterName = z.string().regex(/^[\w.-]{1,50}$/)
const Parameters = z.record(ParameterName, Text.max(2_000))

/** Parameters that every login sets itself. */
const ownParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'max_age',
  'prompt',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]
const isFree = (name: string) => !ownParameters.includes(name)
const Fixed = Parameters.refine(
  (parameters) => Object.keys(parameters).every(isFree),
  'contains a parameter that every login sets itself',
)
const Passed = z
  .array(ParameterName)
  .max(20)
  .refine((names) => names.every(isFree), 'contains a parameter that every login sets')

/** The provider's scopes for each of ours that the application was granted. */
const scopes = {
  always: Names.default([]),
  profile: Names.default([]),
  email: Names.default([]),
  address: Names.default([]),
  phone: Names.default([]),
}
const standardScopes = {
  always: Names.default(['openid']),
  profile: Names.default(['profile']),
  email: Names.default(['email']),
  address: Names.default(['address']),
  phone: Names.default(['phone']),
}

const clientSecrets = ['client_secret_basic', 'client_secret_post'] as const

/** Tokens are valid only for the user they were issued to, so no more than this difference of clocks is accepted. */
const maxClockToleranceSeconds = 600

const common = {
  /** Whether every login has an S256 challenge (RFC 7636). */
  pkce: z.boolean().default(true),
  /** Parameters of every authorization request. */
  parameters: Fixed.default({}),
  /** Parameters of the application's request that are passed on to the provider. */
  passed_parameters: Passed.default([]),
}

/** A provider that uses the code flow of OpenID Connect. */
const OidcDefinition = z.strictObject({
  type: z.literal('oidc'),
  /**
   * As in ID Tokens. Its discovery document is read whenever the settings are saved. A claim's name in braces stands for
   * the claim, if the provider has an issuer for each tenant: `https://login.example.com/{tid}/v2.0`.
   */
  issuer: Endpoint,
  /** The address of the discovery document, if it does not follow from the issuer. */
  discovery: Endpoint.optional(),
  /** Replace what the discovery document says. With `authorization`, `token` and `jwks`, it is not read. */
  endpoints: z
    .strictObject({
      authorization: Address,
      token: Endpoint,
      userinfo: Endpoint,
      jwks: Endpoint,
      revocation: Endpoint,
      end_session: Endpoint,
    })
    .partial()
    .default({}),
  client_authentication: z
    .enum([...clientSecrets, 'client_secret_jwt', 'private_key_jwt', 'none'])
    .default('client_secret_basic'),
  id_token_alg: z
    .enum([
      ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const),
      'HS256',
    ])
    .default('RS256'),
  clock_tolerance_seconds: z.int().min(0).max(maxClockToleranceSeconds).default(60),
  response_mode: z.enum(['query', 'form_post']).default('query'),
  /** Whether ID Tokens repeat the nonce of the request. Without it, a stolen ID Token is recognized by the code alone. */
  nonce: z.boolean().default(true),
  prompts: z.array(z.enum(supportedPrompts)).max(supportedPrompts.length).default(['login']),
  max_age: z.boolean().default(true),
  /** Whether a logout here also logs the end user out at the provider (OpenID Connect RP-Initiated Logout 1.0). */
  ends_session: z.boolean().default(false),
  scopes: z.strictObject(standardScopes).prefault({}),
  claims: ClaimRules.default(standardClaims),
  ...common,
})

/** A provider that uses the code flow of OAuth 2.0, and names the end user in a resource. */
const OAuth2Definition = z
  .strictObject({
    type: z.literal('oauth2'),
    endpoints: z.strictObject({
      authorization: Address,
      token: Endpoint,
      /** Where tokens are refreshed, if not at `token`. */
      refresh: Endpoint.optional(),
      /** The resource with the end user's account. */
      user: Endpoint,
      revocation: Endpoint.optional(),
    }),
    /** Further resources by name: their claims are in those of the user resource, by that name. */
    resources: z
      .record(z.string().regex(/^[a-z]\w{0,30}$/), Endpoint)
      .refine((resources) => Object.keys(resources).length <= 3, 'has more than three resources')
      .default({}),
    client_authentication: z.enum(clientSecrets).default('client_secret_post'),
    /** The provider's names of the client's parameters. */
    client_parameters: z.strictObject({ client_id: ParameterName, client_secret: ParameterName }).partial().default({}),
    token_method: z.enum(['GET', 'POST']).default('POST'),
    /** The query parameter of resources for the access token; without it, it is in the header `Authorization`. */
    access_token_parameter: ParameterName.optional(),
    /** Parameters of the user resource, by where the token response has their values. */
    token_parameters: z.record(ParameterName, ClaimPointer).default({}),
    scope_separator: z.enum([' ', ',']).default(' '),
    scopes: z.strictObject(scopes).prefault({}),
    /** Where the user resource has the user's ID. */
    user_id: ClaimPointer.default('/id'),
    /** The provider never gives an e-mail address of one end user to another. */
    user_id_is_email: z.boolean().default(false),
    /** Where errors have their code, if they do not follow RFC 6749 5.2, and the codes of ended tokens. */
    errors: z
      .strictObject({
        code: ClaimPointer,
        ending_grant: z.array(z.union([z.int(), Text.max(100)])).max(20),
      })
      .optional(),
    claims: ClaimRules,
    ...common,
  })
  .refine(({ user_id, user_id_is_email }) => user_id_is_email || !/mail/i.test(user_id), {
    path: ['user_id'],
    message:
      'looks like an e-mail address, which a provider can give to another person later. Choose another claim, or set `user_id_is_email`',
  })

/** A login provider that a site configures: how end users log in, and what is read about them. */
export const ProviderDefinition = z.strictObject({
  /** The name that end users see, by language; English where the language has none. */
  display_name: z.strictObject({
    en: Text.trim().min(1).max(40),
    ja: Text.trim().min(1).max(40).optional(),
  }),
  /** The entry of the catalog that it was made from, for the guide. */
  catalog: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/)
    .optional(),
  logo: ProviderLogo.optional(),
  button: ProviderButton.optional(),
  protocol: z.discriminatedUnion('type', [OidcDefinition, OAuth2Definition]),
})
export type ProviderDefinition = z.infer<typeof ProviderDefinition>

/** The addresses of a provider: those of its definition, and of its discovery document. */
export const ProviderEndpoints = z.object({
  authorization: z.string(),
  token: z.string(),
  refresh: z.string().optional(),
  userinfo: z.string().optional(),
  jwks: z.string().optional(),
  revocation: z.string().optional(),
  end_session: z.string().optional(),
})
export type ProviderEndpoints = z.infer<typeof ProviderEndpoints>

/** The claims of a provider about an end user, by its own names. */
export const ClaimSet = z.record(z.string(), z.unknown())

/** What becomes of claims by the rules of a definition. */
export const PreviewedProfile = z.object({
  /** Null: there is none, so no one could log in. */
  provider_user_id: z.string().nullable(),
  profile: z.record(z.string(), z.unknown()),
  email: z.array(z.object({ email: z.string(), verified: z.boolean() })),
  phone: z.array(z.object({ number: z.string(), type: z.string() })),
  follow: z.object({ followed_by: z.int().nullable(), following: z.int().nullable() }).nullable(),
})

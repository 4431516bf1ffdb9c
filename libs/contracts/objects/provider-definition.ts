import { z } from 'zod'
import {
  type ClaimMapping,
  genderCodes,
  standardAddress,
  standardBirthday,
  standardEmail,
  supportedPrompts,
} from '../login-providers/index.ts'
import { ProfileItem, profileFields } from '../profile-items.ts'
import { Text } from '../scalars.ts'

/** An address that an administrator enters. Whether it may be reached is decided when it is. */
const Address = z
  .url({ protocol: /^https?$/, error: 'is no https address' })
  .max(2_048)
  .refine((address) => !/[@#]/.test(address), 'must not have a user or a fragment')

const Name = z.string().regex(/^[\w.:/-]{1,100}$/, 'has characters that names do not have')
const Names = z.array(Name).max(50)
const Parameters = z.record(z.string().regex(/^\w{1,50}$/), Text.max(500))

/** Parameters that every login sets itself. */
const ownParameters = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce', 'max_age', 'prompt'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri'],
]
const NotOwn = Parameters.refine(
  (parameters) => Object.keys(parameters).every((name) => !ownParameters.includes(name)),
  'contains a parameter that every login sets itself',
)
const Passed = z
  .array(z.string().regex(/^\w{1,50}$/))
  .max(20)
  .refine((names) => names.every((name) => !ownParameters.includes(name)), 'contains a parameter that every login sets')

const ClaimPointer = z
  .string()
  .regex(/^(\/([^/~]|~[01])*)+$/, 'is no JSON Pointer, e.g. /picture/data/url')
  .max(200)
const Pointers = z.array(ClaimPointer).min(1).max(5)

const TextRule = z.strictObject({
  as: z.literal('text'),
  from: Pointers,
  join: z.enum(['all', 'any']).optional(),
  unless: ClaimPointer.optional(),
})
const DateRule = z.strictObject({
  as: z.literal('date'),
  from: ClaimPointer,
  format: z.enum(['YYYY-MM-DD', 'MM/DD/YYYY']),
})
const ListRule = z.strictObject({
  as: z.literal('list'),
  from: Pointers,
  template: z.string().includes('{}').max(200).optional(),
})
const CodeRule = z.strictObject({
  as: z.literal('code'),
  from: ClaimPointer,
  codes: z.record(z.string().max(50), z.int().min(0).max(100)),
  otherwise: z.int().min(0).max(100).optional(),
})
const CountRule = z.strictObject({ as: z.literal('count'), from: ClaimPointer })
const FlagRule = z.strictObject({ as: z.literal('flag'), from: ClaimPointer })

const ClaimRule = z.union([
  ClaimPointer,
  z.discriminatedUnion('as', [TextRule, DateRule, ListRule, CodeRule, CountRule, FlagRule]),
])
type RuleKind = Exclude<z.infer<typeof ClaimRule>, string>['as'] | 'pointer'

/** The kinds of rules that fit the type of a profile field. */
function listRuleKinds(field: z.ZodNullable<z.ZodType>): readonly RuleKind[] {
  const type = field.unwrap()
  if (type instanceof z.ZodArray) return ['list']
  if (type instanceof z.ZodBoolean) return ['flag']
  return type instanceof z.ZodNumber ? ['code', 'count'] : ['pointer', 'text', 'date']
}

const ProfileField = ProfileItem.exclude(['follow', 'email', 'phone'])

/** Where in the provider's claims each item is; items without a rule are not read. */
export const ClaimRules = z.strictObject({
  profile: z.partialRecord(ProfileField, ClaimRule).superRefine((rules, context) => {
    for (const [field, rule] of Object.entries(rules)) {
      const kinds = listRuleKinds(profileFields[ProfileField.parse(field)])
      if (rule === undefined || kinds.includes(typeof rule === 'string' ? 'pointer' : rule.as)) continue
      const message = `needs a rule of another kind: ${kinds.join(', ')}`
      context.addIssue({ code: 'custom', path: [field], message })
    }
  }),
  email: z.strictObject({ address: ClaimPointer, verified: z.union([ClaimPointer, z.boolean()]) }).optional(),
  phone: z.strictObject({ number: ClaimPointer, type: z.enum(['phone', 'mobile']) }).optional(),
  follow: z.strictObject({ followed_by: ClaimPointer, following: ClaimPointer }).optional(),
  // The check above gives each field the rules of its type, which the type of the schema does not show.
}) as unknown as z.ZodType<ClaimMapping, ClaimMapping>

/** The standard claims (OpenID Connect Core 5.1). */
export const standardClaims: ClaimMapping = {
  profile: {
    full_name: '/name',
    first_name: '/given_name',
    middle_name: '/middle_name',
    last_name: '/family_name',
    user_name: { as: 'text', from: ['/preferred_username', '/nickname'] },
    image_url: '/picture',
    website: { as: 'list', from: ['/website'] },
    uri: { as: 'list', from: ['/profile'] },
    gender: { as: 'code', from: '/gender', codes: genderCodes, otherwise: 3 },
    birthday: standardBirthday,
    ...standardAddress,
  },
  email: standardEmail,
  phone: { number: '/phone_number', type: 'phone' },
}

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

const common = {
  /** Whether every login has an S256 challenge (RFC 7636). */
  pkce: z.boolean().default(true),
  /** Parameters of every authorization request. */
  parameters: NotOwn.default({}),
  /** Parameters of the application's request that are passed on to the provider. */
  passed_parameters: Passed.default([]),
}

/** A provider that uses the code flow of OpenID Connect. */
const OidcDefinition = z.strictObject({
  type: z.literal('oidc'),
  /** As in ID Tokens. Its discovery document is read whenever the settings are saved. */
  issuer: Address,
  /** Replace what the discovery document says. With `authorization`, `token` and `jwks`, it is not read. */
  endpoints: z
    .strictObject({
      authorization: Address,
      token: Address,
      userinfo: Address,
      jwks: Address,
      revocation: Address,
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
  response_mode: z.enum(['query', 'form_post']).default('query'),
  prompts: z.array(z.enum(supportedPrompts)).max(supportedPrompts.length).default(['login']),
  max_age: z.boolean().default(true),
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
      token: Address,
      /** The resource with the end user's account. */
      user: Address,
      revocation: Address.optional(),
    }),
    client_authentication: z.enum(clientSecrets).default('client_secret_post'),
    scope_separator: z.enum([' ', ',']).default(' '),
    scopes: z.strictObject(scopes).prefault({}),
    /** Where the user resource has the user's ID. */
    user_id: ClaimPointer.default('/id'),
    /** The provider never gives an e-mail address of one end user to another. */
    user_id_is_email: z.boolean().default(false),
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
  protocol: z.discriminatedUnion('type', [OidcDefinition, OAuth2Definition]),
})
export type ProviderDefinition = z.infer<typeof ProviderDefinition>

/** The addresses of a provider: those of its definition, and of its discovery document. */
export const ProviderEndpoints = z.object({
  authorization: z.string(),
  token: z.string(),
  userinfo: z.string().optional(),
  jwks: z.string().optional(),
  revocation: z.string().optional(),
})
export type ProviderEndpoints = z.infer<typeof ProviderEndpoints>

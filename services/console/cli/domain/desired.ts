import { z } from 'zod'
import { Client, clientSettings, siteSettings } from '#admin-api'
import { isSecretOption, type LoginProvider, loginProviders, optionsSchema, Slug, Timestamp } from '#contracts'

/** Where a secret is found when it is sent. */
export const SecretReference = z.union(
  [
    z.strictObject({ from_env: z.string().regex(/^[A-Za-z_]\w*$/, 'is no name of a variable') }),
    z.strictObject({ from_file: z.string().min(1) }),
  ],
  { error: 'must be { from_env: NAME } or { from_file: path }: secrets themselves are never written here' },
)
export type SecretReference = z.infer<typeof SecretReference>

const DesiredProvider = z.strictObject({
  client_id: z.string().min(1).max(255),
  client_secret: SecretReference.optional(),
  options: z
    .record(z.string(), z.union([z.string(), SecretReference], { error: 'must be text, or where a secret is found' }))
    .optional(),
  official_account: z.boolean().optional(),
  enabled: z.boolean().optional(),
  client_secret_expires_at: Timestamp.nullable().optional(),
})
export type DesiredProvider = z.infer<typeof DesiredProvider>

const DesiredClient = z.strictObject({
  kind: Client.shape.kind,
  redirect_uris: clientSettings.redirect_uris,
  post_logout_redirect_uris: clientSettings.post_logout_redirect_uris.optional(),
  response_types: clientSettings.response_types.optional(),
  pkce: clientSettings.pkce.optional(),
  id_token_alg: clientSettings.id_token_alg.optional(),
})
export type DesiredClient = z.infer<typeof DesiredClient>

const DesiredProviders = z.partialRecord(z.enum(loginProviders), DesiredProvider).superRefine((settings, context) => {
  for (const provider of loginProviders)
    for (const { path, message } of complaintsAbout(provider, settings[provider]?.options))
      context.addIssue({ code: 'custom', path: [provider, 'options', ...path], message })
})

const { name, kind, ...optional } = siteSettings

/** A site as it should be; what is absent stays as it is, and a new site begins with what is usual. */
const DesiredSite = z.strictObject({
  name: name.optional(),
  kind: kind.optional(),
  ...z.object(optional).partial().shape,
  providers: DesiredProviders.optional(),
  /** By name. */
  clients: z.record(clientSettings.name, DesiredClient).optional(),
  /** Names of live keys. */
  api_keys: z.array(z.string().trim().min(1).max(100)).max(2).optional(),
})
export type DesiredSite = z.infer<typeof DesiredSite>

const DesiredAccount = z.strictObject({
  name: name.optional(),
  sites: z.record(Slug, DesiredSite).optional(),
})

/** What `plan` and `apply` read and `export` writes. */
export const Desired = z.strictObject({ accounts: z.record(Slug, DesiredAccount) })
export type Desired = z.infer<typeof Desired>

type Complaint = { readonly path: readonly PropertyKey[]; readonly message: string }

/** Without options nothing is wanted of them. */
function complaintsAbout(provider: LoginProvider, options: DesiredProvider['options']): Complaint[] {
  if (options === undefined) return []
  const complaints = Object.entries(options).flatMap(([option, value]) => {
    const isSecret = isSecretOption(provider, option)
    if (isSecret && typeof value === 'string')
      return [{ path: [option], message: 'is a secret: write { from_env: NAME } or { from_file: path }' }]
    return isSecret || typeof value === 'string' ? [] : [{ path: [option], message: 'is no secret: write its value' }]
  })
  const issues = optionsSchema(provider).safeParse(asText(options)).error?.issues ?? []
  return [
    ...complaints,
    ...issues.flatMap((issue) => {
      if (issue.code === 'unrecognized_keys')
        return issue.keys.map((key) => ({ path: [key], message: 'is not an option of this provider' }))
      return [{ path: issue.path, message: issue.message }]
    }),
  ]
}

/** Options with something in the place of secrets, whose values nobody knows yet. */
export function asText(options: NonNullable<DesiredProvider['options']>): Record<string, string> {
  const text = Object.entries(options).map(([option, value]) => [option, typeof value === 'string' ? value : 'x'])
  return Object.fromEntries(text)
}

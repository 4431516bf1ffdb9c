import { z } from 'zod'
import { Client, clientSettings, siteSettings, webhookSettings } from '#admin-api'
import {
  HostName,
  HostPurpose,
  isSecretOption,
  LoginProvider,
  Look,
  optionsSchema,
  ProviderDefinition,
  Slug,
  Timestamp,
} from '#contracts'
import { SecretReference } from './secret-reference.ts'
import { sectionFields } from './sections/index.ts'

const DesiredProvider = z.strictObject({
  /** Required for a new provider that is not built in. */
  definition: ProviderDefinition.optional(),
  client_id: z.string().min(1).max(255),
  client_secret: SecretReference.optional(),
  options: z
    .record(
      z.string(),
      z.union([z.string(), SecretReference], { error: 'must be a string, or a reference to a secret' }),
    )
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
  callback_by_domain: clientSettings.callback_by_domain.optional(),
  token_exchange: clientSettings.token_exchange.optional(),
  metadata_claims: clientSettings.metadata_claims.optional(),
  consents_claim: clientSettings.consents_claim.optional(),
  user_metadata_write: clientSettings.user_metadata_write.optional(),
  response_types: clientSettings.response_types.optional(),
  pkce: clientSettings.pkce.optional(),
  id_token_alg: clientSettings.id_token_alg.optional(),
})
export type DesiredClient = z.infer<typeof DesiredClient>

const DesiredWebhook = z.strictObject({
  url: webhookSettings.url,
  types: webhookSettings.types.optional(),
  signature: webhookSettings.signature.optional(),
  ordered: webhookSettings.ordered.optional(),
  enabled: webhookSettings.enabled.optional(),
})
export type DesiredWebhook = z.infer<typeof DesiredWebhook>

const DesiredProviders = z.record(LoginProvider, DesiredProvider).superRefine((settings, context) => {
  for (const [provider, { options }] of Object.entries(settings))
    for (const { path, message } of listOptionProblems(provider, options))
      context.addIssue({ code: 'custom', path: [provider, 'options', ...path], message })
})

const DesiredHost = z.strictObject({ purpose: HostPurpose.default('login') })

/** The settings of a site, without its sections. */
export const DesiredSettings = z.object(siteSettings).partial()

/** The desired state of a site. Missing fields stay unchanged; a new site gets their defaults. */
const DesiredSite = z.strictObject({
  ...DesiredSettings.shape,
  providers: DesiredProviders.optional(),
  /** By name. */
  clients: z.record(clientSettings.name, DesiredClient).optional(),
  /** By name. */
  webhooks: z.record(webhookSettings.name, DesiredWebhook).optional(),
  /** Names of active keys. */
  api_keys: z.array(z.string().trim().min(1).max(100)).max(2).optional(),
  /** By name. */
  hosts: z.record(HostName, DesiredHost).optional(),
  /** Whether the site is also served on the host of the installation. */
  shared_host: z.boolean().optional(),
  /** What end users see, with pictures as data URLs. */
  look: Look.partial({ words: true }).optional(),
  ...sectionFields,
})
export type DesiredSite = z.infer<typeof DesiredSite>

const DesiredAccount = z.strictObject({
  name: siteSettings.name.optional(),
  sites: z.record(Slug, DesiredSite).optional(),
})

/** The file format of `plan`, `apply` and `export`. */
export const Desired = z.strictObject({ accounts: z.record(Slug, DesiredAccount) })
export type Desired = z.infer<typeof Desired>

type OptionProblem = { readonly path: readonly PropertyKey[]; readonly message: string }

/** Lists the problems of a provider's options. */
function listOptionProblems(provider: LoginProvider, options: DesiredProvider['options']): OptionProblem[] {
  if (options === undefined) return []
  const problems = Object.entries(options).flatMap(([option, value]) => {
    const isSecret = isSecretOption(provider, option)
    if (isSecret && typeof value === 'string')
      return [{ path: [option], message: 'is a secret: write { from_env: NAME } or { from_file: path }' }]
    return isSecret || typeof value === 'string'
      ? []
      : [{ path: [option], message: 'is not a secret: write its value' }]
  })
  const issues = optionsSchema(provider).safeParse(replaceSecrets(options)).error?.issues ?? []
  return [
    ...problems,
    ...issues.flatMap((issue) => {
      if (issue.code === 'unrecognized_keys')
        return issue.keys.map((key) => ({ path: [key], message: 'is not an option of this provider' }))
      return [{ path: issue.path, message: issue.message }]
    }),
  ]
}

/** Replaces secrets, which are read later, with a placeholder. */
export function replaceSecrets(options: NonNullable<DesiredProvider['options']>): Record<string, string> {
  const text = Object.entries(options).map(([option, value]) => [option, typeof value === 'string' ? value : 'x'])
  return Object.fromEntries(text)
}

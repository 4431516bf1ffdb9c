import { builtInLoginProviders, Fault } from '#contracts'
import type { ProviderAuthHandlers } from '../deps.ts'
import { applyDefaults, findRejectedOptions } from '../domain/settings-validation.ts'
import { deleteProviderAssociations } from '../store/association-tokens.ts'
import { upsertProviderSettings } from '../store/provider-settings.ts'
import { getOrCreateIdentifier } from '../store/settings-revisions.ts'
import { builtInKey } from '../upstream/providers/index.ts'
import { buildAuthorizeUri, buildProviderCallbackUri, buildWebhookUris } from '../uris.ts'

export const saveProviderSettings: ProviderAuthHandlers['saveProviderSettings'] = async (input, deps) => {
  const provider = builtInLoginProviders.find((known) => known === input.provider)
  if (provider === undefined) throw new Fault('invalid_parameter')
  // Rejected here, where the administrator can fix it, instead of at the first login.
  const rejected = findRejectedOptions(provider, input.options)
  const loginProvider = deps.findProviderClient(builtInKey(provider))
  if (rejected.length > 0 || (await loginProvider?.isValidSecret?.(input.client_secret)) === false)
    throw new Fault('invalid_parameter', { fields: rejected })
  const loginProviderIdentifier = await upsertProviderSettings(deps, {
    ...input,
    ...builtInKey(provider),
    options: applyDefaults(provider, input.options),
    login_provider_identifier: await getOrCreateIdentifier(deps.knex, { site: input.site, provider }),
  })
  // Tokens that were issued while the settings were enabled must not become valid again.
  if (!input.enabled) await deleteProviderAssociations(deps.knex, input)
  const [authUrl] = deps.hosts.issuersOf(input)
  const base = { names: deps.names, auth_url: authUrl }
  const settings = { ...input, provider, login_provider_identifier: loginProviderIdentifier }
  return {
    login_provider_identifier: loginProviderIdentifier,
    provider_callback: buildProviderCallbackUri(base, settings),
    authorize_uri: buildAuthorizeUri(base, settings),
    webhook_uris: buildWebhookUris(base, settings),
  }
}

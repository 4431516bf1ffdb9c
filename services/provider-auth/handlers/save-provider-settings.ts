import type { Handler } from '#bus'
import { Fault, loginProviders, type providerAuth } from '#contracts'
import { authorizeUri, noticeAddresses, providerCallback } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import { refusedOptions, withDefaults } from '../domain/settings-completeness.ts'
import { deleteAssociationsWith } from '../store/association-tokens.ts'
import { upsertProviderSettings } from '../store/provider-settings.ts'
import { identifierOf } from '../store/settings-revisions.ts'

type Procedure = (typeof providerAuth.procedures)['saveProviderSettings']

export const saveProviderSettings: Handler<Procedure, Deps> = async (input, deps) => {
  const provider = loginProviders.find((open) => open === input.provider)
  if (provider === undefined) throw new Fault('invalid_parameter')
  // Told here, where it can be mended, and not to the first person who logs in.
  const about = refusedOptions(provider, input.options)
  const loginProvider = deps.findLoginProvider(provider)
  if (about.length > 0 || (await loginProvider?.acceptsSecret?.(input.client_secret)) === false)
    throw new Fault('invalid_parameter', { fields: about })
  const loginProviderIdentifier = await upsertProviderSettings(deps, {
    ...input,
    provider,
    options: withDefaults(provider, input.options),
    login_provider_identifier: await identifierOf(deps.knex, { site: input.site, provider }),
  })
  // What was issued while they were enabled must not come back with them.
  if (!input.enabled) await deleteAssociationsWith(deps.knex, input)
  const settings = { ...input, provider, login_provider_identifier: loginProviderIdentifier }
  return {
    login_provider_identifier: loginProviderIdentifier,
    provider_callback: providerCallback(deps, settings),
    authorize_uri: authorizeUri(deps, settings),
    notice_uris: noticeAddresses(deps, settings),
  }
}

import type { Handler } from '#bus'
import {
  Fault,
  loginProviders,
  type Provider,
  type ProviderOptions,
  type providerAuth,
  providerOptions,
} from '#contracts'
import { newToken } from '#runtime'
import { authorizeUri, noticeAddresses, providerCallback } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import { removeAssociationsWith } from '../store/association-tokens.ts'
import { upsertProviderSettings } from '../store/provider-settings.ts'

type Procedure = (typeof providerAuth.procedures)['saveProviderSettings']

export const saveProviderSettings: Handler<Procedure, Deps> = async (input, deps) => {
  // Told here, where it can be mended, and not to the first person who logs in.
  const login_provider = deps.findLoginProvider(input.provider)
  if ((await login_provider?.acceptsSecret?.(input.client_secret)) === false) throw new Fault('invalid_parameter')
  const login_provider_identifier = await upsertProviderSettings(deps, {
    ...input,
    options: readOptions(input),
    login_provider_identifier: newToken('', 16),
  })
  // What was issued while they were enabled must not come back with them.
  if (!input.enabled) await removeAssociationsWith(deps.knex, input)
  const settings = { ...input, login_provider_identifier }
  return {
    login_provider_identifier,
    provider_callback: providerCallback(deps, settings),
    authorize_uri: authorizeUri(deps, settings),
    notice_uris: noticeAddresses(deps, settings),
  }
}

function readOptions({ provider, options }: { provider: Provider; options: ProviderOptions }): ProviderOptions {
  const open = loginProviders.find((name) => name === provider)
  const read = open && providerOptions[open].safeParse(options)
  if (!read?.success) throw new Fault('invalid_parameter', { cause: read?.error })
  return read.data
}

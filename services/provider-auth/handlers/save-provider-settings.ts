import type { Handler } from '#bus'
import type { providerAuth } from '#contracts'
import { newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import { upsertProviderSettings } from '../store/provider-settings.ts'

type Procedure = (typeof providerAuth.procedures)['saveProviderSettings']

export const saveProviderSettings: Handler<Procedure, Deps> = async (input, deps) => {
  const login_provider_identifier = await upsertProviderSettings(deps, {
    ...input,
    login_provider_identifier: newToken('', 16),
  })
  const path = `${deps.names.path(input.provider)}/${login_provider_identifier}`
  return {
    login_provider_identifier,
    provider_callback: `${deps.auth_url}/oauth2/callback/${path}`,
    authorize_uri: `${deps.auth_url}/oauth2/authorize/${path}`,
  }
}

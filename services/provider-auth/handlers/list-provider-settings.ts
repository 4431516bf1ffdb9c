import type { Handler } from '#bus'
import { loginProviders, type providerAuth } from '#contracts'
import type { Deps } from '../deps.ts'
import { toldSettings } from '../told-settings.ts'

type Procedure = (typeof providerAuth.procedures)['listProviderSettings']

export const listProviderSettings: Handler<Procedure, Deps> = async ({ site }, deps) => ({
  providers: await toldSettings(site, loginProviders, deps),
})

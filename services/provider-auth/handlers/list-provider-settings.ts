import type { Handler } from '#bus'
import type { providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { listSettingsResponses } from '../settings-response.ts'

type Procedure = (typeof providerAuthContract.procedures)['listProviderSettings']

export const listProviderSettings: Handler<Procedure, Deps> = async ({ site }, deps) => ({
  providers: await listSettingsResponses(site, undefined, deps),
})

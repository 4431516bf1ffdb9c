import type { Handler } from '#bus'
import type { providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { listConfiguredNames } from '../store/provider-settings.ts'

type Procedure = (typeof providerAuthContract.procedures)['listConfiguredProviders']

export const listConfiguredProviders: Handler<Procedure, Deps> = async ({ site }, { reader }) => ({
  providers: await listConfiguredNames(reader, site),
})

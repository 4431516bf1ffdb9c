import type { LoginProvider, ProviderDefinition } from '#contracts'
import type { Deps } from '../../deps.ts'
import { listEnabledSettings } from '../../store/provider-settings.ts'

/** Provider settings that end users of a site can log in with. */
export interface LoginChoice {
  readonly provider: LoginProvider
  readonly site: number
  readonly account: string
  readonly site_id: string
  readonly login_provider_identifier: string
  readonly definition: ProviderDefinition | null
}

/** Lists a site's login choices in the order of the specification's table of providers. */
export async function listLoginChoices(
  site: number,
  { knex, findProviderClient }: Pick<Deps, 'knex' | 'findProviderClient'>,
): Promise<LoginChoice[]> {
  const enabled = await listEnabledSettings(knex, site)
  return enabled.filter((settings) => findProviderClient(settings) !== undefined)
}

import { userStates } from 'virtual:contract'
import type { AdminInput, Provider, SiteReference } from '../../admin/types.ts'
import { isWithoutValue } from '../../parts/metadata-condition.tsx'
import { useSiteProviders } from '../../parts/site-providers.ts'
import type { ServiceOrder } from '../../parts/table/data-table.tsx'
import { useAddressFilters } from '../../parts/table/use-address-filters.ts'

export const periods = ['1d', '7d', '30d', '90d', '365d'] as const
export const mappings = ['mapped_only', 'not_mapped_only'] as const

/** The columns that the service sorts by. */
const sorts = ['created', 'last_login', 'logins'] as const

type Filter = 'created' | 'last_login' | 'provider' | 'mapped' | 'state' | 'metadata'

/** What a list of users shows: its conditions and its order, which the address of the page has. */
export function useUserList(site: SiteReference) {
  const [chosen, change] = useAddressFilters([
    'created',
    'last_login',
    'provider',
    'mapped',
    'state',
    'metadata',
    'sort',
  ])
  const siteProviders = useSiteProviders()
  const providers = siteProviders?.all ?? []
  const createdWithin = periods.find((value) => value === chosen.created)
  const lastLoginWithin = periods.find((value) => value === chosen.last_login)
  const mapped = mappings.find((value) => value === chosen.mapped)
  const userState = userStates.find((value) => value === chosen.state)
  const provider = providers.find((value) => value === chosen.provider)
  const sort = sorts.find((value) => value === chosen.sort.replace(/^-/, '')) ?? 'created'
  const desc = chosen.sort === '' || chosen.sort.startsWith('-')
  const metadata = chosen.metadata === '' || isWithoutValue(chosen.metadata) ? undefined : chosen.metadata
  const conditions = {
    ...(provider ? { provider } : {}),
    ...(mapped ? { mapped } : {}),
    ...(userState ? { user_state: userState } : {}),
    ...(metadata ? { metadata } : {}),
  }
  const request = {
    ...site,
    ...conditions,
    ...(createdWithin ? { created_within: createdWithin } : {}),
    ...(lastLoginWithin ? { last_login_within: lastLoginWithin } : {}),
    sort,
    order: desc ? 'desc' : 'asc',
  } satisfies AdminInput<'listUsers'>
  const order: ServiceOrder = {
    columns: sorts,
    sort: { id: sort, desc },
    setSort: ({ id, desc: isDesc }) => change({ sort: id === 'created' && isDesc ? '' : `${isDesc ? '-' : ''}${id}` }),
  }
  return {
    /** As in the address; empty: newest first. */
    sort: chosen.sort,
    sortBy: (value: string) => change({ sort: value }),
    /** Whether a provider of the address is not known yet, so that the list would be another one. */
    isLoading: siteProviders === undefined && chosen.provider !== '',
    request,
    order,
    providers,
    chosen: { createdWithin, lastLoginWithin, mapped, userState, provider, metadata },
    /** With a path without a value. */
    metadata: chosen.metadata,
    filterBy: (name: Filter) => (value: string) => change({ [name]: value }),
    /** Conditions of what is done with all users of the list, by the names of the forms. */
    conditions: {
      ...conditions,
      ...(createdWithin ? { created_since: findDay(createdWithin) } : {}),
      ...(lastLoginWithin ? { last_login_since: findDay(lastLoginWithin) } : {}),
    },
  }
}

export interface ChosenConditions {
  readonly createdWithin: (typeof periods)[number] | undefined
  readonly lastLoginWithin: (typeof periods)[number] | undefined
  readonly mapped: (typeof mappings)[number] | undefined
  readonly userState: (typeof userStates)[number] | undefined
  readonly provider: Provider | undefined
  readonly metadata: string | undefined
}

/** The first whole day of a period, so that nothing is done with a user who is not in the list. */
function findDay(period: (typeof periods)[number]): string {
  const dayMs = 86_400_000
  const start = Date.now() - Number.parseInt(period, 10) * dayMs
  return new Date(Math.ceil(start / dayMs) * dayMs).toISOString().slice(0, 10)
}

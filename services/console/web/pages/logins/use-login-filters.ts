import type { AdminInput } from '../../admin/types.ts'
import { useAddressFilters } from '../../parts/table/use-address-filters.ts'
import { toUtc } from '../../parts/to-utc.ts'

/** Fields that the address and the Admin API have in common; times are local in the address. */
const equalFields = ['provider', 'client_id', 'result', 'reason', 'identifier'] as const
const names = ['view', ...equalFields, 'since', 'until'] as const
type Name = (typeof names)[number]

export type LogFilter = Omit<AdminInput<'groupSiteLogins'>, 'account' | 'site_id'>

export interface LogFilters {
  /** As the address has them; empty if not chosen. */
  readonly chosen: Readonly<Record<Name, string>>
  readonly change: (changes: Partial<Record<Name, string>>) => void
  /** Those that are chosen, as the Admin API expects them. */
  readonly filter: LogFilter
}

/** The filters of the log of logins. The service checks the values, which a member can write into the address. */
export function useLoginFilters(): LogFilters {
  const [chosen, change] = useAddressFilters(names)
  const fields = equalFields.filter((name) => chosen[name].trim() !== '').map((name) => [name, chosen[name].trim()])
  const times = (['since', 'until'] as const)
    .filter((name) => !Number.isNaN(Date.parse(chosen[name])))
    .map((name) => [name, toUtc(chosen[name])])
  return { chosen, change, filter: Object.fromEntries([...fields, ...times]) }
}

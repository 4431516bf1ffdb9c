import { useSearchParams } from 'wouter'

/**
 * The filters of a page, by name; empty if not set. The address contains them, so that they can be sent to others and stay when
 * the member returns.
 */
export function useAddressFilters<N extends string>(
  names: readonly N[],
): [filters: Readonly<Record<N, string>>, change: (changes: Partial<Record<N, string>>) => void] {
  const [parameters, setParameters] = useSearchParams()
  // The entries are those of the names.
  const filters = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as Record<N, string>
  const change = (changes: Partial<Record<N, string>>) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries<string | undefined>(changes)) {
          if (value === undefined || value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace: true },
    )
  return [filters, change]
}

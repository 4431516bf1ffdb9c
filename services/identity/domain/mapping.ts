import { Fault } from '#contracts'

/**
 * Decides whether a user can and must be mapped to a primary_key.
 *
 * @param holder identifier of the user who has the primary_key, if any
 * @returns whether the mapping changes
 * @throws Fault `duplicated_primary_key` if another user has it, checked before `already_mapped`
 */
export function needsMapping(
  user: { readonly identifier: string; readonly primary_key: string | null },
  { primary_key, overwrite, holder }: { primary_key: string; overwrite: boolean; holder: string | undefined },
): boolean {
  if (user.primary_key === primary_key) return false
  if (holder !== undefined && holder !== user.identifier) throw new Fault('duplicated_primary_key')
  if (user.primary_key !== null && !overwrite) throw new Fault('already_mapped')
  return true
}

import { Fault } from '#contracts'

/**
 * Decides about mapping a user to a primary_key.
 *
 * @param holder identifier of the user the primary_key belongs to, if it does
 * @returns whether there is something to change
 * @throws Fault `duplicated_primary_key` when it is another user's, which is told before `already_mapped`
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

import type { Deps } from '../deps.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'

/** Counts a login that was recorded, and the user that it was the first of. */
export function countRecorded(
  settings: Pick<ProviderSettings, 'site' | 'provider'>,
  { created }: { readonly created: boolean },
  { tally }: Pick<Deps, 'tally'>,
): void {
  tally.countLogin(settings, 'login')
  if (created) tally.countLogin(settings, 'new_user')
}

import type { Deps } from '../deps.ts'
import type { SiteProviderSettings } from '../domain/provider-settings.ts'

/** Counts a recorded login, and the new user if the login created one. */
export function countRecordedLogin(
  settings: Pick<SiteProviderSettings, 'site' | 'provider'>,
  { created }: { readonly created: boolean },
  { usage }: Pick<Deps, 'usage'>,
): void {
  usage.countLogin(settings, 'login')
  if (created) usage.countLogin(settings, 'new_user')
}

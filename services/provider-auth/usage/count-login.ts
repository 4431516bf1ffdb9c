import type { SiteProviderSettings } from '../domain/provider-settings.ts'
import type { LoginUsage } from './login-usage.ts'

/** Counts a recorded login, and the new user if the login created one. */
export function countRecordedLogin(
  settings: Pick<SiteProviderSettings, 'site' | 'provider'>,
  { created }: { readonly created: boolean },
  { usage }: { readonly usage: Pick<LoginUsage, 'countLogin'> },
): void {
  usage.countLogin(settings, 'login')
  if (created) usage.countLogin(settings, 'new_user')
}

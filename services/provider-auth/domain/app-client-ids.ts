import type { SiteProviderSettings } from './provider-settings.ts'

type Settings = Pick<SiteProviderSettings, 'client_id' | 'options'>

/** Whether native apps may log in: the settings name at least one client of an app. */
export function allowsNativeApps({ options }: Pick<Settings, 'options'>): boolean {
  return Boolean(options.app_client_ids)
}

/** The clients whose tokens native apps may log in with: ours, and those of apps. */
export function listAppClientIds({ client_id, options }: Settings): ReadonlySet<string> {
  return new Set([client_id, ...(options.app_client_ids ?? '').split(',').filter((id) => id !== '')])
}

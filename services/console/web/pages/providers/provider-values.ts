import type { ProviderSettings } from '../../admin/types.ts'

/** What the form holds of every provider; those without an option leave it as it is. */
export interface ProviderValues extends Record<string, unknown> {
  client_id: string
  client_secret: string
  official_account: boolean
  enabled: boolean
  /** A day, `YYYY-MM-DD`. */
  expires: string
  webhook_secret: string
  team_id: string
  key_id: string
  app_id: string
  permissions: string[]
  protocol: string
}

const text = (value: string | true | undefined) => (typeof value === 'string' ? value : '')

/** Secrets are never told: their fields are empty, and stay as they are when left so. */
export const valuesOf = ({ options, ...settings }: ProviderSettings): ProviderValues => ({
  client_id: settings.client_id,
  client_secret: '',
  official_account: settings.official_account,
  enabled: settings.login_provider_identifier === null ? true : settings.enabled,
  expires: settings.client_secret_expires_at?.slice(0, 10) ?? '',
  webhook_secret: '',
  team_id: text(options.team_id),
  key_id: text(options.key_id),
  app_id: text(options.app_id),
  permissions: text(options.permissions).split(',').filter(Boolean),
  protocol: text(options.protocol) || 'oauth1',
})

/** The options each provider has, by name; an empty one is left out. */
export const optionsOf: Record<ProviderSettings['provider'], (values: ProviderValues) => Record<string, string>> = {
  messaging: ({ webhook_secret }) => (webhook_secret === '' ? {} : { webhook_secret }),
  portal: () => ({}),
  social: ({ permissions }) => (permissions.length === 0 ? {} : { permissions: permissions.join(',') }),
  search: () => ({}),
  device: ({ team_id, key_id, app_id }) => ({
    team_id: team_id.trim(),
    key_id: key_id.trim(),
    ...(app_id.trim() === '' ? {} : { app_id: app_id.trim() }),
  }),
  microblog: ({ protocol }) => ({ protocol }),
}

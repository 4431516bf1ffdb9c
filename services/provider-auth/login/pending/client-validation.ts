import type { Provider } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { isRegisteredUri } from '../../domain/loopback-uri.ts'
import type { ProviderClient } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { PageName } from '../../pages/page-statuses.ts'

/** The provider settings, provider and client of a login, as far as they were found. */
export interface LoginParties {
  readonly settings: SiteProviderSettings | undefined
  readonly providerClient: ProviderClient | undefined
  readonly client: RegisteredClient | undefined
}

/** Valid parties of a login. */
export interface ValidatedParties {
  readonly settings: SiteProviderSettings
  readonly providerClient: ProviderClient
  readonly client: RegisteredClient
}

/** A login whose provider settings, client and redirect URI are valid. */
export interface ValidatedLogin extends ValidatedParties {
  readonly redirect_uri: string
}

export async function findLoginParties(
  { provider, login_provider_identifier, client_id }: PartyNames,
  { siteSettings, findProviderClient }: Pick<Deps, 'siteSettings' | 'findProviderClient'>,
): Promise<LoginParties> {
  const isNameValid = provider !== undefined && /^[\x21-\x7e]{1,64}$/.test(login_provider_identifier)
  const [settings, client] = await Promise.all([
    isNameValid ? siteSettings.findProviderSettings({ provider, login_provider_identifier }) : undefined,
    client_id === undefined ? undefined : siteSettings.findClient(client_id),
  ])
  return { settings, providerClient: settings && findProviderClient(settings), client }
}

/** The names of the parties in a request. */
interface PartyNames {
  readonly provider: Provider | undefined
  readonly login_provider_identifier: string
  readonly client_id: string | undefined
}

/**
 * Validates provider settings, client and redirect URI, in the order of the specification ("Authorization endpoint
 * errors"; RFC 6749 4.1.2.1); nothing may be redirected before. The redirect URI must be registered: `isRegisteredUri`.
 * Returns the error page if a check fails.
 */
export function validateClient(parties: LoginParties, redirectUri: string | undefined): ValidatedLogin | PageName {
  const validated = validateParties(parties)
  if (typeof validated === 'string') return validated
  if (redirectUri === undefined || !isRegisteredUri(redirectUri, validated.client)) return 'redirect_uri_invalid'
  return { ...validated, redirect_uri: redirectUri }
}

/**
 * As `validateClient`, without the redirect URI. Disabled settings count as unknown, and so do clients of other sites: the
 * settings in the path determine the site.
 */
export function validateParties({ settings, providerClient, client }: LoginParties): ValidatedParties | PageName {
  if (settings === undefined || !settings.enabled) return 'provider_invalid'
  if (providerClient === undefined) return 'provider_unavailable'
  if (client?.site !== settings.site) return 'client_id_invalid'
  return { settings, providerClient, client }
}

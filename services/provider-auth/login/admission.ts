import type { Provider } from '#contracts'
import type { Deps } from '../deps.ts'
import type { RegisteredClient } from '../domain/client.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import type { PageName } from '../pages/statuses.ts'
import type { LoginProvider } from '../providers/provider.ts'
import { findClient } from '../store/clients.ts'
import { findProviderSettings } from '../store/provider-settings.ts'

/** Who takes part in a login, as far as they were found. */
export interface Parties {
  readonly settings: ProviderSettings | undefined
  readonly login_provider: LoginProvider | undefined
  readonly client: RegisteredClient | undefined
}

/** A login that may go on. */
export interface Admitted {
  readonly settings: ProviderSettings
  readonly login_provider: LoginProvider
  readonly client: RegisteredClient
  /** One of the client's, byte for byte. */
  readonly redirect_uri: string
}

export async function findParties(
  { provider, login_provider_identifier, client_id }: Names,
  deps: Pick<Deps, 'knex' | 'encryptor' | 'findLoginProvider'>,
): Promise<Parties> {
  const nameable = provider !== undefined && /^[\x21-\x7e]{1,64}$/.test(login_provider_identifier)
  const [settings, client] = await Promise.all([
    nameable ? findProviderSettings(deps, { provider, login_provider_identifier }) : undefined,
    client_id === undefined ? undefined : findClient(deps.knex, client_id),
  ])
  return { settings, login_provider: provider && deps.findLoginProvider(provider), client }
}

/** What a request says of the parties. */
interface Names {
  readonly provider: Provider | undefined
  readonly login_provider_identifier: string
  readonly client_id: string | undefined
}

/**
 * The checks before which nothing may be redirected, in order (specification, "Authorization endpoint errors"; RFC 6749
 * 4.1.2.1). A refusal is the page to show. Disabled settings count as unknown, and so does another site's client: the
 * settings in the path decide which site a request is for.
 */
export function admit(
  { settings, login_provider, client }: Parties,
  redirectUri: string | undefined,
): Admitted | PageName {
  if (settings === undefined || !settings.enabled) return 'provider_invalid'
  if (login_provider === undefined) return 'provider_unavailable'
  if (client?.site !== settings.site) return 'client_id_invalid'
  if (redirectUri === undefined || !client.redirect_uris.includes(redirectUri)) return 'redirect_uri_invalid'
  return { settings, login_provider, client, redirect_uri: redirectUri }
}

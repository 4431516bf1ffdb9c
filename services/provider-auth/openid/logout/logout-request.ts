import type { Parameters } from '#http'
import type { Deps } from '../../deps.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { isRegisteredUri } from '../../domain/loopback-uri.ts'
import type { PageName } from '../../pages/page-statuses.ts'
import { byteLengthOf, maxStateBytes } from '../../response/redirect-location.ts'
import { verifyOwnIdToken } from '../token/id-token-hint.ts'

/** A logout request (OpenID Connect RP-Initiated Logout 1.0, 2). */
export interface LogoutRequest {
  /** From the ID Token, else from `client_id`; undefined without both. */
  readonly client: RegisteredClient | undefined
  /** The user of the ID Token, which proves that the application logged the user in. */
  readonly hintedIdentifier: string | undefined
  /** A registered URI of the client, byte for byte, except the port of an app's loopback URI. */
  readonly redirect_uri: string | undefined
  readonly state: string | null
}

const knownParameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales', 'csrf']

/**
 * Parses a request; returns the error page if it is invalid. An `id_token_hint` that we did not sign is ignored, and so
 * is the redirect URI of its request (4): the end user has to confirm and stays on our page.
 */
export async function parseLogoutRequest(
  { values, repeated }: Parameters,
  deps: Pick<Deps, 'siteSettings' | 'signingKeys' | 'hosts'>,
): Promise<LogoutRequest | PageName> {
  const state = values.get('state') ?? null
  const isReadable = !knownParameters.some((name) => repeated.has(name)) && byteLengthOf(state ?? '') <= maxStateBytes
  if (!isReadable) return 'parameters_malformed'

  const hint = values.get('id_token_hint')
  const token = hint === undefined ? undefined : await verifyOwnIdToken(hint, deps)
  const clientId = values.get('client_id')
  const named = token?.client_id ?? clientId
  const client = named === undefined ? undefined : await deps.siteSettings.findClient(named)
  if (clientId !== undefined && client?.client_id !== clientId) return 'client_id_invalid'

  const redirectUri = values.get('post_logout_redirect_uri')
  const isTrusted = client !== undefined && (hint === undefined || token !== undefined)
  if (!isTrusted || redirectUri === undefined)
    return { client, hintedIdentifier: token?.sub, redirect_uri: undefined, state }
  const registered = { kind: client.kind, redirect_uris: client.post_logout_redirect_uris }
  if (!isRegisteredUri(redirectUri, registered)) return 'post_logout_redirect_uri_invalid'
  return { client, hintedIdentifier: token?.sub, redirect_uri: redirectUri, state }
}

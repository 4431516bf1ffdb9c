import { limits } from '#contracts'
import type { Deps } from '../../deps.ts'
import { decryptPostedForm, encryptPostedForm } from '../../login/request/posted-form.ts'
import type { SessionCookie } from '../../login/session/session.ts'
import { buildLogoutReturnUri } from '../../uris.ts'
import type { LogoutRequest } from './logout-request.ts'

/** Where a browser goes on after the logout at the provider. */
export interface LogoutReturn {
  readonly client_id: string | undefined
  /** The application's address; undefined: our page. */
  readonly location: string | undefined
}

/**
 * The URL of the logout at the provider of the first of the sessions whose provider has one; undefined without. The
 * provider returns the browser with the state, in which the rest of our logout is encrypted: nothing is stored.
 */
export async function buildProviderLogout(
  sessions: readonly SessionCookie[],
  { client }: LogoutRequest,
  location: string | undefined,
  deps: Deps,
): Promise<string | undefined> {
  const form = new URLSearchParams({
    ...(client !== undefined && { client_id: client.client_id }),
    ...(location !== undefined && { location }),
  })
  for (const { session } of sessions) {
    if (session === undefined) continue
    const { site, provider, provider_id_token: idToken } = session
    const settings = await deps.siteSettings.findProviderSettings({ site, provider })
    if (settings === undefined) continue
    const { buildLogoutUrl } = deps.findProviderClient(settings) ?? {}
    if (buildLogoutUrl === undefined) continue
    const state = encryptPostedForm(purpose, form.toString(), deps, limits.pending_login_seconds)
    if (state === undefined) continue
    return buildLogoutUrl(settings, { id_token: idToken, return_uri: buildLogoutReturnUri(deps), state })
  }
  return undefined
}

/** Reads the state with which a provider returned a browser; undefined if it is not ours or has expired. */
export async function readLogoutReturn(
  state: string | undefined,
  deps: Pick<Deps, 'encryptor'>,
): Promise<LogoutReturn | undefined> {
  const form = await decryptPostedForm(purpose, state, deps)
  if (form === undefined) return undefined
  const values = new URLSearchParams(form)
  return { client_id: values.get('client_id') ?? undefined, location: values.get('location') ?? undefined }
}

const purpose = 'logout at the provider'

import type { Deps } from '../../deps.ts'
import { buildProviderCallbackUri } from '../../uris.ts'
import { errorPage, type Outcome } from '../request/outcome.ts'
import { encryptPostedForm } from '../request/posted-form.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'

/**
 * Receives the form that the provider's page posts (OAuth 2.0 Form Post Response Mode). Browsers send no cookies with a
 * cross-site POST (`SameSite=Lax`), so the login is still unknown: we redirect the browser to the same address by GET,
 * with the form encrypted in the URL, and it proves there that it started the login.
 */
export async function receivePostedCallback(
  context: SettingsRequestContext & { readonly provider: NonNullable<SettingsRequestContext['provider']> },
  deps: Deps,
): Promise<Outcome> {
  const state = context.parameters.values.get('state')
  if (state === undefined) return errorPage('login_ended')
  const returned = encryptPostedForm(state, context.rawParameters, deps)
  if (returned === undefined) return errorPage('parameters_malformed')
  const location = `${buildProviderCallbackUri(deps, context)}?state=${encodeURIComponent(state)}&returned=${returned}`
  return { kind: 'redirect', status: 303, location, login: 'returned' }
}

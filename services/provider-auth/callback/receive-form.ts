import { providerCallback } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import type { SettingsArrival } from '../login/arrival.ts'
import { type Outcome, page } from '../login/outcome.ts'
import { encryptPostedForm } from '../login/posted-form.ts'

/**
 * Takes the form that a provider has a browser post (OAuth 2.0 Form Post Response Mode). A browser sends none of our cookies
 * with what another site posts (`SameSite=Lax`), so we do not know yet whose login it is: we redirect the browser to the same
 * address by GET, with the form encrypted in it, and it has to prove there that it started the login.
 */
export async function receiveForm(
  arrival: SettingsArrival & { readonly provider: NonNullable<SettingsArrival['provider']> },
  deps: Deps,
): Promise<Outcome> {
  const state = arrival.parameters.values.get('state')
  if (state === undefined) return page('login_ended')
  const returned = encryptPostedForm(state, arrival.text, deps)
  if (returned === undefined) return page('parameters_malformed')
  const location = `${providerCallback(deps, arrival)}?state=${encodeURIComponent(state)}&returned=${returned}`
  return { kind: 'redirect', status: 303, location, login: 'returned' }
}

import { providerCallback } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import { keepReturned } from '../store/pending-logins.ts'
import type { SettingsArrival } from './arrival.ts'
import { type Outcome, page } from './outcome.ts'

/**
 * Takes the form that a provider has a browser post (OAuth 2.0 Form Post Response Mode). A browser sends none of our cookies
 * with what another site posts (`SameSite=Lax`), so nobody can tell yet whose login it is: the form waits with its login, and
 * the browser is sent on to the same address by GET, where it has to prove that it began the login.
 */
export async function receive(
  arrival: SettingsArrival & { readonly provider: NonNullable<SettingsArrival['provider']> },
  deps: Deps,
): Promise<Outcome> {
  const state = arrival.parameters.values.get('state')
  if (state === undefined || !(await keepReturned(deps, state, arrival.text))) return page('login_ended')
  const location = `${providerCallback(deps, arrival)}?state=${encodeURIComponent(state)}`
  return { kind: 'redirect', status: 303, location, login: 'returned' }
}

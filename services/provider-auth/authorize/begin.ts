import type { Deps } from '../deps.ts'
import type { PassedParameters } from '../providers/provider.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'
import { admit, findParties } from './admission.ts'
import type { SettingsArrival } from './arrival.ts'
import { type Outcome, page } from './outcome.ts'
import { findRequestError, placementOf, readRequest, stateToReturn } from './request.ts'
import { locationOf, server_error } from './respond.ts'
import { sendToProvider } from './send-to-provider.ts'

/** Answers an authorization request: an error page, an error to the application, or the way to the provider. */
export async function begin(arrival: SettingsArrival, deps: Deps): Promise<Outcome> {
  const { provider, parameters, cookie, call } = arrival
  const { values } = parameters
  const parties = await findParties({ ...arrival, client_id: values.get('client_id') }, deps)
  const admitted = admit(parties, values.get('redirect_uri'))
  if (typeof admitted === 'string') return page(admitted, { settings: parties.settings })

  // ─── From here on every refusal travels to the redirect address. ───────────────────────────────────────────────────

  const { redirect_uri, client, login_provider, settings } = admitted
  const address = { redirect_uri, placement: placementOf(parameters), state: stateToReturn(parameters) }
  const refused = findRequestError({ ...parameters, client, passes: login_provider.passes })
  if (refused !== undefined)
    return { kind: 'redirect', location: locationOf(address, refused, deps.auth_url), login: 'refused', settings }
  try {
    const request = readRequest(parameters)
    const asked = { scope: request.scope, passed: passedOn(login_provider.passes, settings, values) }
    return await sendToProvider(admitted, { request, asked, cookie }, deps)
  } catch (error) {
    deps.logger.error({ error, provider, request_id: call.request_id }, 'a login could not begin')
    return { kind: 'redirect', location: locationOf(address, server_error, deps.auth_url), login: 'failed', settings }
  }
}

/** The request's parameters that are for the provider. */
function passedOn(
  passes: PassedParameters,
  { official_account }: ProviderSettings,
  values: ReadonlyMap<string, string>,
): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, { official_account_only }] of Object.entries(passes)) {
    const value = values.get(name)
    if (value !== undefined && (official_account || !official_account_only)) passed[name] = value
  }
  return passed
}

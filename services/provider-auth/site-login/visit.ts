import { Slug } from '#contracts'
import type { Deps } from '../deps.ts'
import type { CallbackRequest } from '../domain/callback-request.ts'
import type { Admitted } from '../login/admission.ts'
import type { SiteArrival } from '../login/arrival.ts'
import { failureOf } from '../login/failure.ts'
import { isFailure, type Outcome, page } from '../login/outcome.ts'
import { locationOf, stateToReturn } from '../login/respond.ts'
import { findClientOfCallback } from '../store/clients.ts'
import { findProviderSettings } from '../store/provider-settings.ts'
import { areReadable } from './request.ts'

/** A person at one of a site's own login pages, whose every answer may go to the callback. */
export interface Visit extends Admitted {
  readonly request: Omit<CallbackRequest, 'association'>
}

/**
 * Answers at a site's own login page. Whatever is wrong with the address or the callback is told by a page; a callback has to
 * be registered by one of the site's clients, byte for byte.
 *
 * @param admitted answers everything else, its errors too, by way of the callback
 */
export async function visit(
  arrival: SiteArrival,
  deps: Deps,
  admitted: (visit: Visit) => Promise<Outcome>,
): Promise<Outcome> {
  const { account, site_id, provider, parameters, call } = arrival
  const nameable = provider !== undefined && [account, site_id].every((name) => Slug.safeParse(name).success)
  const settings = nameable ? await findProviderSettings(deps, { account, site_id, provider }) : undefined
  if (!settings?.enabled) return page('site_invalid')
  const loginProvider = deps.findLoginProvider(settings.provider)
  if (loginProvider === undefined) return page('provider_unavailable', { settings })
  if (!areReadable(parameters)) return page('parameters_malformed', { settings })
  const redirectUri = parameters.values.get('callback')
  if (redirectUri === undefined) return page('callback_invalid', { settings })
  const client = await findClientOfCallback(deps.knex, { site: settings.site, callback: redirectUri })
  if (client === undefined) return page('callback_invalid', { settings })

  // ─── From here on every refusal travels to the callback. ───────────────────────────────────────────────────────────

  const state = stateToReturn(parameters)
  const request = {
    response_type: 'one_time_token',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    state,
  } as const
  const visitor = { settings, login_provider: loginProvider, client, redirect_uri: redirectUri, request }
  try {
    return await admitted(visitor)
  } catch (error) {
    const { parameters: told, login } = failureOf(error, request)
    if (isFailure(login)) deps.logger.error({ error, provider, request_id: call.request_id }, 'a login could not begin')
    return returnToSite(visitor, told, { login })
  }
}

/** A redirect to the callback with the parameters of its answer. */
export function returnToSite(
  { settings, request }: Visit,
  parameters: Readonly<Record<string, string>>,
  about: Pick<Outcome, 'login' | 'cookies'>,
): Outcome {
  const { redirect_uri, state } = request
  const location = locationOf({ redirect_uri, placement: 'query', state }, parameters)
  return { kind: 'redirect', location, settings, ...about }
}

import { Slug } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { CallbackRequest } from '../../domain/callback-request.ts'
import { parseExtendedItems } from '../../domain/extended-items.ts'
import { respondToSiteLogin } from '../../response/application-response.ts'
import { getReturnableState } from '../../response/redirect-location.ts'
import type { ValidatedParties } from '../pending/client-validation.ts'
import { findSiteCallbacks } from '../pending/site-callbacks.ts'
import { toLoginFailure } from '../request/failure.ts'
import { errorPage, isServiceFailure, type Outcome } from '../request/outcome.ts'
import type { SiteRequestContext } from '../request/request-context.ts'
import { areParametersValid } from './request.ts'

/** A validated request to a site's own login page. */
export interface SiteLogin extends ValidatedParties {
  readonly request: Omit<CallbackRequest, 'association' | 'existing_users_only'>
}

/**
 * Handles a request to a site's own login page. An invalid address or callback leads to an error page.
 *
 * @param handle handles the validated request; its errors are sent to the callback
 */
export async function handleSiteRequest(
  context: SiteRequestContext,
  deps: Deps,
  handle: (siteLogin: SiteLogin) => Promise<Outcome>,
): Promise<Outcome> {
  const { account, site_id, provider, parameters, call } = context
  const areNamesValid = provider !== undefined && [account, site_id].every((name) => Slug.safeParse(name).success)
  const settings = areNamesValid
    ? await deps.siteSettings.findProviderSettings({ account, site_id, provider })
    : undefined
  if (!settings?.enabled) return errorPage('site_invalid')
  const loginProvider = deps.findProviderClient(settings)
  if (loginProvider === undefined) return errorPage('provider_unavailable', { settings })
  if (!areParametersValid(parameters)) return errorPage('parameters_malformed', { settings })
  const siteCallbacks = await findSiteCallbacks(settings.site, parameters.values, deps, call)
  if (typeof siteCallbacks === 'string') return errorPage(siteCallbacks, { settings })

  // ─── The callback is validated: from here on, errors are sent to it. ───

  const { client, ...callbacks } = siteCallbacks
  const state = getReturnableState(parameters)
  const request = {
    response_type: 'one_time_token',
    client_id: client.client_id,
    ...callbacks,
    state,
    extended_items: parseExtendedItems(parameters.values.get('extended_items')),
  } as const
  const siteLogin = { settings, providerClient: loginProvider, client, request }
  try {
    return await handle(siteLogin)
  } catch (error) {
    const { parameters: failureParameters, login } = toLoginFailure(error, request)
    if (isServiceFailure(login))
      deps.logger.error({ error, provider, request_id: call.request_id }, 'login could not be started')
    return redirectToCallback(siteLogin, failureParameters, { login })
  }
}

/** A redirect to the callback with the response parameters. */
export function redirectToCallback(
  { settings, request }: SiteLogin,
  parameters: Readonly<Record<string, string>>,
  about: Pick<Outcome, 'login' | 'cookies'>,
): Outcome {
  return { ...respondToSiteLogin(request, parameters), settings, ...about }
}

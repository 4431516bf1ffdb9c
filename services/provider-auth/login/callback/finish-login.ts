import type { ProviderExchange } from '#contracts'
import type { Deps } from '../../deps.ts'
import { toAuthorizedParameters } from '../../domain/callback-request.ts'
import type { ApplicationRequest } from '../../domain/pending-request.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { timeStep } from '../../usage/login-durations.ts'
import { findOpenDocuments, type UserOfSite } from '../documents/open-documents.ts'
import { storePendingTerms } from '../documents/pending-terms.ts'
import { findLoginParties, validateParties } from '../pending/client-validation.ts'
import { type PendingLogin, toLoginId } from '../pending/pending-login.ts'
import { restoreCallbacks } from '../pending/site-callbacks.ts'
import { errorPage } from '../request/outcome.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'
import { respondWithLogin, respondWithLoginFailure } from './application-outcome.ts'
import { completeLogin, type WaitingLogin } from './complete-login.ts'
import { completeSiteLogin } from './complete-site-login.ts'
import { obtainLogin } from './obtain-login.ts'
import type { CallbackLogin, FinishedLogin } from './record-end.ts'
import { runTraced } from './test-login.ts'

/** A login of an application that is pending in the browser. */
export type PendingApplicationLogin = Pick<CallbackLogin, 'state' | 'returned_at' | 'durations'> & {
  readonly pending: PendingLogin & { readonly request: ApplicationRequest }
}

/**
 * Finishes a login that is pending in the browser: obtains it from the provider and records it.
 *
 * @throws an outage before the redirect URI was validated
 */
export async function finishLogin(
  { state, pending, returned_at, durations }: PendingApplicationLogin,
  context: SettingsRequestContext,
  deps: Deps,
): Promise<FinishedLogin> {
  const { provider, login_provider_identifier, call } = context
  if (pending.provider !== provider || pending.login_provider_identifier !== login_provider_identifier)
    return { outcome: errorPage('other_provider') }
  const { client_id } = pending.request
  const parties = await findLoginParties({ provider, login_provider_identifier, client_id }, deps)
  const validated = validateParties(parties)
  if (typeof validated === 'string') return { outcome: errorPage(validated, { settings: parties.settings }) }
  const { client, settings } = validated
  const request = await restoreCallbacks(pending, client, deps, call)
  if (request === undefined) return { outcome: errorPage('redirect_uri_invalid', { settings }) }

  // ─── The redirect URI is validated: from here on, errors are sent to it. ───

  deps.usage.countLogin(settings, 'returned')
  const exchanges: ProviderExchange[] = []
  try {
    const login = { ...validated, request, state, adapterState: pending.adapter_state }
    const obtain = () => runTraced(request, () => obtainLogin(login, context, deps), exchanges)
    const providerLogin = await timeStep(durations, 'provider_ms', obtain)
    const verified = { login: toLoginId(state), client, settings, providerLogin, exchanges }
    const complete = async () => {
      if (request.response_type !== 'one_time_token')
        return completeLogin({ ...verified, request }, context, deps, call)
      const mustWait = async (user: UserOfSite) => (await findOpenDocuments(user, deps, call)).length > 0
      const completed = await completeSiteLogin({ ...verified, request }, deps, call, { mustWait })
      if ('waiting' in completed) return completed
      return { parameters: toAuthorizedParameters(completed.token), cookies: [], user: completed.user }
    }
    const completed = await timeStep(durations, 'recording_ms', complete)
    if ('waiting' in completed)
      return await waitForAnswers(completed, { state, pending, returned_at, durations }, settings, context, deps)
    return respondWithLogin({ request, settings }, completed, deps)
  } catch (error) {
    return respondWithLoginFailure(error, { request, settings }, exchanges, context, deps)
  }
}

/** Sends the browser to the page on which the end user answers to the documents of the site. The login has no end yet. */
async function waitForAnswers(
  { waiting, cookies, user }: WaitingLogin,
  login: Omit<PendingApplicationLogin, 'pending'> & { readonly pending: PendingLogin },
  settings: SiteProviderSettings,
  { cookie }: SettingsRequestContext,
  deps: Deps,
): Promise<FinishedLogin> {
  const terms = { ...login, ...waiting, ...user, pending: { ...login.pending, adapter_state: {} } }
  const stored = await storePendingTerms(terms, cookie, deps)
  const { location } = stored
  return {
    outcome: { kind: 'redirect', location, login: 'prompted', settings, cookies: [...cookies, ...stored.cookies] },
  }
}

import { Fault, limits } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { AccountRequest } from '../../domain/account-request.ts'
import { SiteLoginError } from '../../domain/callback-request.ts'
import { InteractionRequired } from '../../domain/interaction-required.ts'
import { createAccountAddresses } from '../../hosts/account-address.ts'
import { isOutage } from '../../http/outage.ts'
import type { AccountNotice } from '../../pages/account-notices.ts'
import { timeStep } from '../../usage/login-durations.ts'
import { findLoginParties } from '../pending/client-validation.ts'
import { type PendingLogin, toLoginId } from '../pending/pending-login.ts'
import { toLoginFailure } from '../request/failure.ts'
import { toEndResult, toLoginReason } from '../request/login-reason.ts'
import { errorPage, isServiceFailure, type LoginState } from '../request/outcome.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'
import { setAccountNotice } from '../session/account-notice.ts'
import { completeAccountLogin, linkAccountOfUser } from './complete-account-login.ts'
import { obtainLogin, ProviderLoginError } from './obtain-login.ts'
import type { CallbackLogin, FinishedLogin } from './record-end.ts'

/** A login of the account page that is pending in the browser. */
export type PendingAccountLogin = Pick<CallbackLogin, 'state' | 'durations'> & {
  readonly pending: PendingLogin & { readonly request: AccountRequest }
}

/**
 * Finishes a login that the account page started: the browser returns to the page, which says what happened.
 *
 * @throws an outage before the provider was asked
 */
export async function finishAccountLogin(
  { state, pending, durations }: PendingAccountLogin,
  context: SettingsRequestContext,
  deps: Deps,
): Promise<FinishedLogin> {
  const { provider, login_provider_identifier, call } = context
  const { request } = pending
  if (pending.provider !== provider || pending.login_provider_identifier !== login_provider_identifier)
    return { outcome: errorPage('other_provider') }
  const names = { provider, login_provider_identifier, client_id: undefined }
  const { settings, providerClient } = await findLoginParties(names, deps)
  if (
    settings === undefined ||
    !settings.enabled ||
    (await deps.siteSettings.findAccountPage(settings.site)) === undefined
  )
    return { outcome: errorPage('provider_invalid', { settings }) }
  if (providerClient === undefined) return { outcome: errorPage('provider_unavailable', { settings }) }

  const buildAddress = await createAccountAddresses(settings, deps)
  const goTo = (page: Pick<AccountRequest, 'place' | 'subject'>, login: LoginState, cookies: readonly string[]) =>
    ({ kind: 'redirect', location: buildAddress(page), login, settings, cookies }) as const
  deps.usage.countLogin(settings, 'returned')
  try {
    const login = { providerClient, settings, request, state, adapterState: pending.adapter_state }
    const obtain = () => obtainLogin(login, context, deps)
    const providerLogin = await timeStep(durations, 'provider_ms', obtain)
    const verified = { login: toLoginId(state), request, settings, providerLogin }
    const complete = request.link_to === null ? completeAccountLogin : linkAccountOfUser
    const { user, cookies } = await timeStep(durations, 'recording_ms', () => complete(verified, context, deps, call))
    deps.usage.countLogin(settings, 'completed')
    const end = { result: 'completed', reason: null, error: null, user } as const
    return { outcome: goTo(request, 'success', cookies), end }
  } catch (error) {
    const byProvider = error instanceof ProviderLoginError
    const cause = byProvider ? error.cause : error
    const { login, page } = toLoginFailure(cause, request, byProvider)
    if (isServiceFailure(login)) {
      deps.usage.countLogin(settings, 'failed')
      deps.logger.error({ error: cause, provider, request_id: call.request_id }, 'login to the account page failed')
    } else if (login === 'user_denied') deps.usage.countLogin(settings, 'denied')
    const end = {
      result: toEndResult(login),
      reason: toLoginReason(cause, byProvider),
      error: null,
      user: undefined,
    }
    if (page !== undefined) return { outcome: { ...errorPage(page, { settings }), login }, end }
    if (isOutage(cause)) {
      const retry = { retry_after_seconds: limits.retry_after_seconds }
      return { outcome: { ...errorPage('unavailable', { settings }), login, ...retry }, end }
    }
    const cookies = [setAccountNotice(toNotice(cause, login), deps)]
    return { outcome: goTo({ place: 'overview', subject: null }, login, cookies), end }
  }
}

/** What the page says about a login that failed. */
function toNotice(error: unknown, login: LoginState): AccountNotice {
  if (error instanceof SiteLoginError) return siteLoginNotices[error.reason] ?? 'failed'
  if (error instanceof InteractionRequired)
    return error.reason === 'authentication_too_old' ? 'log_in_again' : 'other_user'
  if (error instanceof Fault && error.fault === 'entity_not_found') return 'unknown_user'
  if (login === 'user_denied') return 'cancelled'
  return login === 'provider_error' ? 'provider_failed' : 'failed'
}

const siteLoginNotices: Partial<Record<SiteLoginError['reason'], AccountNotice>> = {
  user_not_found: 'unknown_user',
  already_linked: 'already_linked',
  linked_to_another_user: 'linked_to_another_user',
  token_invalid: 'log_in_again',
}

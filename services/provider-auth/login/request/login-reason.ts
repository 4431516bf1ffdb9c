import { Fault, type LoginEndResult, type LoginReason, rejectionReasons } from '#contracts'
import { SiteLoginError } from '../../domain/callback-request.ts'
import { InteractionRequired } from '../../domain/interaction-required.ts'
import { ProviderLoginRejected } from '../../domain/provider-client.ts'
import { TermsDeclined } from '../../domain/terms.ts'
import { isOutage } from '../../http/outage.ts'
import type { PageName } from '../../pages/page-statuses.ts'
import { isProviderUnavailable } from '../../upstream/http-client/fetch.ts'
import { isDeniedByUser } from './failure.ts'
import { adviseOn } from './login-advice.ts'
import { isServiceFailure, type LoginState } from './outcome.ts'

/** The reason for which the log of logins has an error. @param byProvider whether the provider's response caused it */
export function toLoginReason(error: unknown, byProvider: boolean): LoginReason {
  if (error instanceof InteractionRequired) return error.reason ?? 'other'
  if (error instanceof SiteLoginError) return siteLoginReasons.get(error.reason) ?? 'internal_error'
  if (error instanceof TermsDeclined) return 'terms_declined'
  if (error instanceof Fault && error.fault === 'user_blocked') return 'user_blocked'
  if (isOutage(error)) return 'service_unavailable'
  if (error instanceof ProviderLoginRejected && isDeniedByUser(error)) return 'denied_by_user'
  if (!byProvider && !isProviderUnavailable(error)) return 'internal_error'
  const advice = adviseOn(error)
  return advice === null ? 'provider_error' : `provider_${advice}`
}

const siteLoginReasons: ReadonlyMap<SiteLoginError['reason'], LoginReason> = new Map([
  ['token_invalid', 'association_token_invalid'],
  ['already_linked', 'provider_already_linked'],
  ['linked_to_another_user', 'account_of_another_user'],
  ['user_not_found', 'user_not_found'],
])

/** The reason of a login that ended with one of our pages. */
export function toReasonOfPage(page: PageName): LoginReason {
  return reasonsOfPages.get(page) ?? rejectionReasons.find((name) => name === page) ?? 'other'
}

const reasonsOfPages: ReadonlyMap<PageName, LoginReason> = new Map([
  ['login_ended', 'login_expired'],
  ['other_browser', 'other_browser'],
  ['other_provider', 'other_provider'],
  ['unavailable', 'service_unavailable'],
])

/** The result of a login that has ended. */
export function toEndResult(login: LoginState): LoginEndResult {
  if (login === 'success') return 'completed'
  if (login === 'user_denied') return 'denied'
  return isServiceFailure(login) ? 'failed' : 'rejected'
}

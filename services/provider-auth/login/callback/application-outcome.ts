import type { ProviderExchange } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { ApplicationRequest } from '../../domain/pending-request.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { PageName } from '../../pages/page-statuses.ts'
import { respondToPendingRequest } from '../../response/application-response.ts'
import { toLoginFailure, toSentError } from '../request/failure.ts'
import { toEndResult, toLoginReason } from '../request/login-reason.ts'
import { isServiceFailure, type LoginState, type Outcome } from '../request/outcome.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { CompletedLogin } from './complete-login.ts'
import { ProviderLoginError } from './obtain-login.ts'
import type { FinishedLogin } from './record-end.ts'
import { recordTestLogin, toFailedOutcome } from './test-login.ts'

/** The request of an application, whose redirect URI is validated. */
interface ApplicationLogin {
  readonly request: ApplicationRequest
  readonly settings: SiteProviderSettings
}

/** Responds to the application with a completed login. */
export function respondWithLogin(
  login: ApplicationLogin,
  completed: CompletedLogin,
  deps: Pick<Deps, 'usage' | 'auth_url'>,
): FinishedLogin {
  const end = { result: 'completed', reason: null, error: null, user: completed.user } as const
  return { outcome: respondToApplication(login, { ...completed, login: 'success' }, deps), end }
}

/** Responds to the application with the error of a login. @param exchanges the requests to the provider, for a test login */
export async function respondWithLoginFailure(
  error: unknown,
  { request, settings }: ApplicationLogin,
  exchanges: ProviderExchange[],
  { call }: Pick<RequestContext, 'call'>,
  deps: Deps,
): Promise<FinishedLogin> {
  const byProvider = error instanceof ProviderLoginError
  const cause = byProvider ? error.cause : error
  const { parameters, login, page } = toLoginFailure(cause, request, byProvider)
  await recordTestLogin(request, settings, toFailedOutcome(cause, parameters, exchanges), deps)
  const { provider } = settings
  if (isServiceFailure(login))
    deps.logger.error({ error: cause, provider, request_id: call.request_id }, 'login failed')
  const end = {
    result: toEndResult(login),
    reason: toLoginReason(cause, byProvider),
    error: toSentError(parameters),
    user: undefined,
  }
  const response = respondToApplication({ request, settings }, { parameters, login, cookies: [] }, deps)
  // A form is posted at once: the page cannot post it.
  const isShown = page !== undefined && response.kind === 'redirect'
  return { outcome: isShown ? showPage(page, response) : response, end }
}

/** Shows a page that leads to the application, instead of redirecting there. */
function showPage(page: PageName, { location, login, settings }: Extract<Outcome, { kind: 'redirect' }>): Outcome {
  return { kind: 'page', page, forward: location, login, settings, cookies: [] }
}

function respondToApplication(
  { request, settings }: ApplicationLogin,
  {
    parameters,
    cookies,
    login,
  }: Pick<CompletedLogin, 'parameters' | 'cookies'> & {
    readonly login: LoginState
  },
  deps: Pick<Deps, 'usage' | 'auth_url'>,
): Outcome {
  // Errors of our own rules are not counted as a step at the provider.
  const step = toLoginStep(login)
  if (step !== undefined) deps.usage.countLogin(settings, step)
  return { ...respondToPendingRequest(request, parameters, deps.auth_url), login, settings, cookies }
}

/** The last step of a login, as the console counts it. */
function toLoginStep(login: LoginState): 'completed' | 'denied' | 'failed' | undefined {
  if (login === 'success') return 'completed'
  if (login === 'user_denied') return 'denied'
  return isServiceFailure(login) ? 'failed' : undefined
}

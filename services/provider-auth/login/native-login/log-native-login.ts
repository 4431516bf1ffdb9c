import type { Call } from '#bus'
import type { LoginEnd } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { isOutage } from '../../http/outage.ts'
import { type LoginDurations, timeStep } from '../../usage/login-durations.ts'
import type { LoggedInUser } from '../callback/complete-login.ts'
import { toLoginReason } from '../request/login-reason.ts'

/** A native app's request to log in. */
interface NativeAttempt {
  readonly settings: SiteProviderSettings
  /** Null: the app sends none. */
  readonly client_id: string | null
  /** The IP address of the app. */
  readonly address: string | undefined
  readonly call: Call
}

/** What the app receives, and the user who logged in. */
export interface NativeResult<R> {
  readonly response: R
  readonly user: LoggedInUser
}

type Ending = Pick<LoginEnd, 'result' | 'reason'> & Partial<Pick<LoginEnd, 'error' | 'identifier' | 'is_new_user'>>

/**
 * Logs in the user of a native app, and adds the login to the log. Rejected requests are recorded elsewhere.
 *
 * @param run sets the durations of its steps
 * @throws as `run`
 */
export async function runLogged<R>(
  { settings, client_id, address, call }: NativeAttempt,
  run: (durations: LoginDurations) => Promise<NativeResult<R>>,
  { loginLog, findCountry }: Pick<Deps, 'loginLog' | 'findCountry'>,
): Promise<R> {
  const { site, provider } = settings
  const { request_id } = call
  const country = findCountry(address)
  const start = { at: Date.now(), kind: 'native', provider, client_id, country, request_id } as const
  const durations: LoginDurations = {}
  const record = (ending: Ending) => {
    const end = { at: Date.now(), ...ending, ...durations, request_id }
    loginLog.add({ site, login_id: request_id, start, end }, address)
  }
  try {
    const { response, user } = await timeStep(durations, 'callback_ms', () => run(durations))
    record({ result: 'completed', reason: null, identifier: user.identifier, is_new_user: user.created })
    return response
  } catch (error) {
    if (!isRejection(error)) record({ result: 'failed', ...describeFailure(error) })
    throw error
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof OAuthError && error.status < 500
}

/** The reason of a failure, and the error that the app receives. */
function describeFailure(error: unknown): Pick<LoginEnd, 'reason' | 'error'> {
  if (error instanceof OAuthError)
    return { reason: toLoginReason(error.cause, error.key === 'provider_unavailable'), error: error.code }
  return { reason: toLoginReason(error, false), error: isOutage(error) ? 'temporarily_unavailable' : 'server_error' }
}

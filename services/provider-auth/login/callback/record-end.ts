import type { LoginEndResult, LoginReason } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { LoginDurations } from '../../usage/login-durations.ts'
import { type PendingLogin, toLoginId, toStartTime } from '../pending/pending-login.ts'
import { toEndResult, toReasonOfPage } from '../request/login-reason.ts'
import { describeStart } from '../request/login-start.ts'
import type { Outcome } from '../request/outcome.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'
import type { LoggedInUser } from './complete-login.ts'

/** How a callback ended a login, for the log. */
export interface CallbackEnd {
  readonly result: LoginEndResult
  /** Null for a completed login. */
  readonly reason: LoginReason | null
  /** As sent to the application; null: the end user saw a page. */
  readonly error: string | null
  readonly user: LoggedInUser | undefined
}

/** The outcome of a login, and its end for the log; without it, the outcome is a page that says why. */
export interface FinishedLogin {
  readonly outcome: Outcome
  readonly end?: CallbackEnd | undefined
}

/** The login that a callback is for. */
export interface CallbackLogin {
  readonly state: string
  /** Undefined: the browser does not have the cookies of the login. */
  readonly pending: PendingLogin | undefined
  /** When the browser came back, as Unix time in milliseconds. */
  readonly returned_at: number
  readonly durations: LoginDurations
}

/** The end of a login with one of our pages; undefined if the outcome is none. */
export function describePageEnd(outcome: Outcome): CallbackEnd | undefined {
  if (outcome.kind !== 'page') return undefined
  return { result: toEndResult(outcome.login), reason: toReasonOfPage(outcome.page), error: null, user: undefined }
}

/** Adds the end of a login of a site to the log; without the start if the browser does not have it. */
export function recordCallbackEnd(
  { state, pending, returned_at, durations }: CallbackLogin,
  { result, reason, error, user }: CallbackEnd,
  site: number,
  { address, call }: Pick<SettingsRequestContext, 'address' | 'call'>,
  { loginLog }: Pick<Deps, 'loginLog'>,
): void {
  loginLog.add(
    {
      site,
      login_id: toLoginId(state),
      start: pending && describeStart(pending.request, pending.provider, toStartTime(pending)),
      end: {
        at: Date.now(),
        returned_at,
        result,
        reason,
        error,
        identifier: user?.identifier,
        is_new_user: user?.created,
        has_code: user !== undefined && pending?.request.response_type === 'code',
        ...durations,
        request_id: call.request_id,
      },
    },
    address,
  )
}

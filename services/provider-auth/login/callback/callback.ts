import type { Deps } from '../../deps.ts'
import { findLoginParties, type LoginParties } from '../pending/client-validation.ts'
import { clearLoginCookies } from '../pending/login-cookies.ts'
import { type PendingLogin, readPendingLogin } from '../pending/pending-login.ts'
import { toUnavailablePage } from '../request/failure.ts'
import { errorPage, type Outcome } from '../request/outcome.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'
import { finishAccountLogin } from './finish-account-login.ts'
import { finishLogin } from './finish-login.ts'
import {
  type CallbackEnd,
  type CallbackLogin,
  describePageEnd,
  type FinishedLogin,
  recordCallbackEnd,
} from './record-end.ts'
import { rejectOtherBrowser } from './reject-other-browser.ts'
import { repeatEnd, storeEnd } from './repeated-callback.ts'

/** The outcome of a callback, and the login that it ended; without an end, it ended none. */
interface Completion {
  readonly outcome: Outcome
  readonly login?: CallbackLogin
  readonly end?: CallbackEnd | undefined
}

/**
 * Handles the provider's redirect back to us. Only the pending login in the browser's cookies counts, and only in the
 * browser and at the address that it belongs to. A login can be completed once, whatever its result; for a few seconds, the
 * same browser gets the same response again.
 */
export async function handleCallback(context: SettingsRequestContext, deps: Deps): Promise<Outcome> {
  const startedAt = performance.now()
  const { outcome, login, end } = await completeCallback(context, deps)
  const record = (site: number | undefined) => {
    if (login === undefined || end === undefined || site === undefined) return
    login.durations.callback_ms = Math.round(performance.now() - startedAt)
    recordCallbackEnd(login, end, site, context, deps)
  }
  if (outcome.kind !== 'page' || outcome.settings !== undefined) {
    record(outcome.settings?.site)
    return outcome
  }
  // The page leads to the site of the callback's address, which may be another one than that of the login.
  const settings = await findSettings(context, deps)
  const ofLogin = login?.pending === undefined ? settings : await findSettings(login.pending, deps)
  record(ofLogin?.site)
  return { ...outcome, settings }
}

async function findSettings(
  { provider, login_provider_identifier }: Pick<SettingsRequestContext, 'provider' | 'login_provider_identifier'>,
  deps: Deps,
): Promise<LoginParties['settings']> {
  const names = { provider, login_provider_identifier, client_id: undefined }
  const { settings } = await findLoginParties(names, deps).catch(() => noParties)
  return settings
}

const noParties: Pick<LoginParties, 'settings'> = { settings: undefined }

async function completeCallback(context: SettingsRequestContext, deps: Deps): Promise<Completion> {
  const { parameters, cookie } = context
  const state = parameters.values.get('state')
  if (state === undefined) return { outcome: errorPage('login_ended') }
  const returnedAtMs = Date.now()
  const pending = await readPendingLogin(state, cookie, deps)
  const login = { state, pending, returned_at: returnedAtMs, durations: {} }
  if (pending === undefined) {
    const repeated = await repeatEnd(state, cookie, false, deps)
    if (repeated !== undefined) return { outcome: repeated }
    const { outcome, isEnd } = await rejectOtherBrowser(state, context, deps)
    return { outcome, login, end: isEnd ? describePageEnd(outcome) : undefined }
  }
  if (Date.now() >= pending.ends_at_ms) {
    const outcome = errorPage('login_ended')
    return { outcome, login, end: describePageEnd(outcome) }
  }
  if (!(await deps.usedLogins.markUsed(state)))
    return { outcome: (await repeatEnd(state, cookie, true, deps)) ?? errorPage('login_ended') }
  const { end, ...finished } = await finishOrFail({ ...login, pending }, context, deps)
  const outcome = await storeEnd(state, { ...finished.outcome, language: pending.language ?? undefined }, deps)
  return { outcome, login, end: end ?? describePageEnd(outcome) }
}

async function finishOrFail(
  login: CallbackLogin & { readonly pending: PendingLogin },
  context: SettingsRequestContext,
  deps: Deps,
): Promise<FinishedLogin> {
  try {
    const { outcome, end } = await finish(login, context, deps)
    const cookies = [...clearLoginCookies(login.state, context.cookie, deps), ...(outcome.cookies ?? [])]
    return { outcome: { ...outcome, cookies }, end }
  } catch (error) {
    // The cookies stay, so that the user can reload the page.
    return { outcome: toUnavailablePage(error, context.call, deps) }
  }
}

/** Finishes a login of an application, or of the account page. */
function finish(
  { pending, ...login }: CallbackLogin & { readonly pending: PendingLogin },
  context: SettingsRequestContext,
  deps: Deps,
): Promise<FinishedLogin> {
  const { request } = pending
  return request.response_type === 'account_page'
    ? finishAccountLogin({ ...login, pending: { ...pending, request } }, context, deps)
    : finishLogin({ ...login, pending: { ...pending, request } }, context, deps)
}

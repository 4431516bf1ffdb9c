import type { Deps } from '../../deps.ts'
import { errorPage, type Outcome } from '../request/outcome.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'

/** The page, and whether the login ended now; otherwise it had ended before, or the address has too many such callbacks. */
export interface RejectedCallback {
  readonly outcome: Outcome
  readonly isEnd: boolean
}

/**
 * Rejects a callback in a browser that did not start the login. It also ends the login in its own browser, because
 * another browser has seen the provider's response. Each such callback counts as a started login of its source address,
 * which limits how many entries one address can add to Redis.
 */
export async function rejectOtherBrowser(
  state: string,
  { address }: SettingsRequestContext,
  { usedLogins, countStartedLogin }: Deps,
): Promise<RejectedCallback> {
  if (!/^[0-9a-f]{32}$/.test(state) || (await usedLogins.isUsed(state)))
    return { outcome: errorPage('login_ended'), isEnd: false }
  const isEnd = (await countStartedLogin(address)) === undefined
  if (isEnd) await usedLogins.markUsed(state, 'other_browser')
  return { outcome: errorPage('other_browser'), isEnd }
}

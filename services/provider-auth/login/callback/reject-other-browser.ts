import type { Deps } from '../../deps.ts'
import { errorPage, type Outcome } from '../request/outcome.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'

/**
 * Rejects a callback in a browser that did not start the login. It also ends the login in its own browser, because
 * another browser has seen the provider's response. Each such callback counts as a started login of its source address,
 * which limits how many entries one address can add to Redis.
 */
export async function rejectOtherBrowser(
  state: string,
  { address }: SettingsRequestContext,
  { usedLogins, countStartedLogin }: Deps,
): Promise<Outcome> {
  if (!/^[0-9a-f]{32}$/.test(state) || (await usedLogins.isUsed(state))) return errorPage('login_ended')
  if ((await countStartedLogin(address)) === undefined) await usedLogins.markUsed(state, 'other_browser')
  return errorPage('other_browser')
}

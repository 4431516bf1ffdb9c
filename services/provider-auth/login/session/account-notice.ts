import { clearCookie, readCookie, setCookie } from '#http'
import type { Deps } from '../../deps.ts'
import { type AccountNotice, accountNotices } from '../../pages/account-notices.ts'

const name = 'account-notice'
/** Our choice: a redirect takes less. */
const lifetimeSeconds = 60

/** The `Set-Cookie` field of a notice. A cookie, and no parameter, so that links of others cannot show one. */
export function setAccountNotice(notice: AccountNotice, { auth_url }: Pick<Deps, 'auth_url'>): string {
  return setCookie(name, notice, lifetimeSeconds, auth_url, 'lax')
}

/** Reads the notice of a browser, with the `Set-Cookie` fields that delete it. */
export function takeAccountNotice(
  cookie: string | undefined,
  { auth_url }: Pick<Deps, 'auth_url'>,
): { readonly notice: AccountNotice | undefined; readonly cookies: readonly string[] } {
  const value = readCookie(cookie, name, auth_url)
  return {
    notice: accountNotices.find((one) => one === value),
    cookies: value === undefined ? [] : [clearCookie(name, auth_url, 'lax')],
  }
}

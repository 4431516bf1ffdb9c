import { limits } from '#contracts'
import { equalSecrets, hashSecret, newToken } from '#runtime'

/** Logins one browser may have begun and not finished; a further one ends the oldest (OWASP ASVS 3.3.5). Our choice. */
const parallel_logins = 20

/** What binds a login to the browser that began it. Each login has a cookie of its own: tabs do not know of one another. */
export interface Binding {
  /** Hash of the cookie's value, to be kept with the login. */
  readonly browser: string
  /** `Set-Cookie` fields. */
  readonly cookies: readonly string[]
}

interface Base {
  /** Cookies are for TLS alone where the service is reached by TLS. */
  readonly auth_url: string
}

/**
 * @param state the handle of what is bound: a login's state, or an association token
 * @param sent the request's `Cookie` field
 */
export function bindBrowser(
  state: string,
  sent: string | undefined,
  base: Base,
  life_seconds: number = limits.pending_login_seconds,
): Binding {
  const value = newToken('', 16)
  const { prefix, attributes } = dress(base)
  // Browsers send the cookie they got first first (RFC 6265 5.4).
  const others = [...readCookies(sent).keys()].filter((name) => name.startsWith(prefix))
  const surplus = others.slice(0, Math.max(0, others.length + 1 - parallel_logins))
  return {
    browser: hashSecret(value),
    cookies: [
      `${prefix}${nameOf(state)}=${value}; Max-Age=${life_seconds}; ${attributes}`,
      ...surplus.map((name) => `${name}=; Max-Age=0; ${attributes}`),
    ],
  }
}

/**
 * Whether the browser is the one that began the login.
 *
 * @param browser the hash kept with the login
 */
export function isBound(state: string, browser: string, sent: string | undefined, base: Base): boolean {
  const value = readCookies(sent).get(dress(base).prefix + nameOf(state))
  return value !== undefined && equalSecrets(hashSecret(value), browser)
}

/** The `Set-Cookie` field that ends the binding. */
export function unbindBrowser(state: string, base: Base): string {
  const { prefix, attributes } = dress(base)
  return `${prefix}${nameOf(state)}=; Max-Age=0; ${attributes}`
}

/** The name tells nothing of the state itself. */
function nameOf(state: string): string {
  return hashSecret(state).slice(0, 12)
}

/** `__Host-` needs `Secure`, which browsers other than Chromium do not allow on a local address without TLS. */
function dress({ auth_url }: Base): { prefix: string; attributes: string } {
  const attributes = 'Path=/; HttpOnly; SameSite=Lax'
  return auth_url.startsWith('https:')
    ? { prefix: '__Host-login-', attributes: `${attributes}; Secure` }
    : { prefix: 'login-', attributes }
}

function readCookies(sent = ''): Map<string, string> {
  return new Map(
    sent.split(';').map((pair) => {
      const [name = '', ...value] = pair.trim().split('=')
      return [name, value.join('=')]
    }),
  )
}

import {
  logIn,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from '../../../services/provider-auth/test/browser.ts'
import type { Answer } from '../client.ts'
import type { FaultSite } from '../site.ts'
import type { FaultOperation, PreparedRequest } from './fault-case.ts'

/** Longer than a login may take. */
const loginTimeoutMs = 15_000

/** The authorization request of a site's application, for the provider search. */
export function authorizeUrl({ demo }: FaultSite, responseType: string): string {
  const [{ client_id, redirect_uris }] = demo.clients
  const url = new URL(demo.providers.search.authorize)
  const parameters = {
    client_id,
    redirect_uri: redirect_uris[0] ?? '',
    response_type: responseType,
    nonce: 'nonce',
    scope: 'openid profile email',
    state: 'faults',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** The parameters with which a login returns to the application. */
export function readLoginResult({ search, hash }: URL): URLSearchParams {
  return new URLSearchParams(hash ? hash.slice(1) : search)
}

/** The address at which a site's own page has an end user log in, for the provider search. */
export function authenticateUrl({ demo, auth }: FaultSite): string {
  const url = new URL(`${auth}/${demo.account}/${demo.site_id}/search/authenticate`)
  url.searchParams.set('callback', demo.clients[0].redirect_uris[0] ?? '')
  url.searchParams.set('state', 'faults')
  return url.href
}

/** The names of the parameters with which the application gets the result; undefined for an error, after which the user starts again. */
export function readResult(location: string): Answer | undefined {
  const parameters = readLoginResult(new URL(location))
  const names = [...parameters.keys()].sort().join(' ')
  const isDone = ['code', 'id_token', 'token'].some((name) => parameters.has(name))
  return isDone ? { status: 302, body: names } : undefined
}

/** The subject of an ID token, which is not verified. */
export function readSubject(idToken: string): string {
  const claims: unknown = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
  return String(Reflect.get(Object(claims), 'sub'))
}

/** Logins and profile updates are counted again when the end user starts again; accounts have names of their own. */
export function maskLogins(state: string): string {
  return state
    .replaceAll(/\\"login_count\\":[1-9]\d*/g, 'logins')
    .replaceAll(/\\"update_count\\":[1-9]\d*/g, 'updates')
    .replaceAll(/\\"provider_user_id\\":\\"[^"]+"/g, 'account')
}

/** Finds the user by one more login: a code has expired when all cases are done. */
export async function findUser(site: FaultSite, tag: string): Promise<readonly string[]> {
  const location = await logIn(openTestBrowser(), authorizeUrl(site, 'id_token'), { user: tag })
  return [readSubject(readLoginResult(location).get('id_token') ?? '')]
}

/** The callback of a login, which the browser opens. After a fault, the end user starts the login again. */
function loginOperation(name: string, addressOf: (site: FaultSite) => string): FaultOperation {
  return {
    name,
    participants: ['provider-auth', 'identity', 'profile'],
    async prepare(site, tag) {
      const browser = openTestBrowser()
      const address = addressOf(site)
      let callback: string | undefined = await submitProviderSignIn(browser, await openRedirect(browser, address), {
        user: tag,
      })
      const send = async (): Promise<string> => {
        const opened = callback
        callback = undefined
        if (opened !== undefined) return openRedirect(browser, opened)
        return (await logIn(openTestBrowser(), address, { user: tag })).href
      }
      return {
        users: [],
        async attempt() {
          try {
            return readResult(await withTimeout(send()))
          } catch {
            return undefined // reset, refused, timed out, or an error page
          }
        },
        findUsers: () => findUser(site, tag),
        mask: maskLogins,
      }
    },
  }
}

/**
 * The token request of an application. A code is valid once, so an application that got no answer has its end user log in
 * again.
 */
const codeToToken: FaultOperation = {
  name: 'code_to_token',
  participants: ['provider-auth', 'identity', 'profile'],
  async prepare(site, tag) {
    const newCode = async () => {
      const location = await logIn(openTestBrowser(), authorizeUrl(site, 'code'), { user: tag })
      return readLoginResult(location).get('code') ?? ''
    }
    let code: string | undefined = await newCode()
    const send = async (): Promise<string | undefined> => {
      const redeemed = code ?? (await newCode())
      code = undefined
      return redeem(site, redeemed)
    }
    return {
      users: [],
      async attempt() {
        const subject = await withTimeout(send()).catch(() => undefined)
        return subject === undefined ? undefined : { status: 200, body: 'id_token' }
      },
      findUsers: () => findUser(site, tag),
      mask: maskLogins,
    }
  },
}

/** Returns the subject of the ID token; undefined if the code was rejected. */
export async function redeem({ demo, auth }: FaultSite, code: string): Promise<string | undefined> {
  const [{ client_id, client_secret, redirect_uris }] = demo.clients
  const response = await fetch(`${auth}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`, connection: 'close' },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirect_uris[0] ?? '' }),
  })
  const idToken: unknown = Reflect.get(Object(await response.json()), 'id_token')
  return typeof idToken === 'string' ? readSubject(idToken) : undefined
}

/** The request of an end user's form, which the browser sends again after a fault. */
export function toFormRequest(send: () => Promise<Answer | undefined>, site: FaultSite, tag: string): PreparedRequest {
  return {
    users: [],
    async attempt() {
      return withTimeout(send()).catch(() => undefined) // reset, refused or timed out
    },
    findUsers: () => findUser(site, tag),
    mask: maskLogins,
  }
}

export function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The login took too long.')), loginTimeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

export const loginOperations: readonly FaultOperation[] = [
  loginOperation('login_code', (site) => authorizeUrl(site, 'code')),
  loginOperation('login_id_token', (site) => authorizeUrl(site, 'id_token')),
  loginOperation('one_time_login', authenticateUrl),
  codeToToken,
]

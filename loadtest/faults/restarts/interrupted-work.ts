import { limits } from '#contracts'
import type { MemberBrowser } from '../../../services/console/test/member-browser.ts'
import { openRedirect, openTestBrowser, submitProviderSignIn } from '../../../services/provider-auth/test/browser.ts'
import { authorizeUrl, readLoginResult, redeem } from '../crashes/login-operations.ts'
import type { FaultSite } from '../site.ts'

/** What end users and a member of the console began, to be finished after a restart. */
export interface InterruptedWork {
  readonly logins: number
  readonly signIns: number
  /** Finishes everything; returns what failed. */
  readonly finish: () => Promise<string[]>
}

interface Interrupted {
  readonly name: string
  /** @throws if it cannot be finished */
  readonly finish: () => Promise<void>
}

const loginsOfEachKind = 3

/** Begins logins that are interrupted at each of their steps, and a sign-in at the console. */
export async function beginWork(site: FaultSite, member: MemberBrowser, tag: string): Promise<InterruptedWork> {
  const logins = await Promise.all(
    Array.from({ length: loginsOfEachKind }, (_, index) => [
      beginAtProvider(site, `${tag}p${index}`),
      beginBeforeCallback(site, `${tag}c${index}`),
      beginBeforeToken(site, `${tag}t${index}`),
    ]).flat(),
  )
  const signIns = [await beginSignIn(member)]
  return {
    logins: logins.length,
    signIns: signIns.length,
    async finish() {
      const results = await Promise.all([...logins, ...signIns].map(finishOne))
      return results.filter((failure) => failure !== undefined)
    },
  }
}

async function finishOne({ name, finish }: Interrupted): Promise<string | undefined> {
  try {
    await finish()
    return undefined
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : error}`
  }
}

/** The end user is at the provider. */
async function beginAtProvider(site: FaultSite, user: string): Promise<Interrupted> {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, authorizeUrl(site, 'id_token'))
  return {
    name: 'login that was at the provider',
    async finish() {
      const callback = await submitProviderSignIn(browser, atProvider, { user })
      requireResult(await openRedirect(browser, callback), 'id_token')
    },
  }
}

/** The end user signed in at the provider; the browser has not opened our callback. */
async function beginBeforeCallback(site: FaultSite, user: string): Promise<Interrupted> {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, authorizeUrl(site, 'code'))
  const callback = await submitProviderSignIn(browser, atProvider, { user })
  return {
    name: 'login whose callback was not opened',
    async finish() {
      requireResult(await openRedirect(browser, callback), 'code')
    },
  }
}

/** The application has the code and has not redeemed it. */
async function beginBeforeToken(site: FaultSite, user: string): Promise<Interrupted> {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, authorizeUrl(site, 'code'))
  const callback = await submitProviderSignIn(browser, atProvider, { user })
  const code = requireResult(await openRedirect(browser, callback), 'code')
  const issuedAt = performance.now()
  return {
    name: 'login whose code was not redeemed',
    async finish() {
      const subject = await redeem(site, code)
      // On a slow machine, the restarts can take longer than a code is valid.
      const isExpired = performance.now() - issuedAt > limits.authorization_code_seconds * 1_000
      if (subject === undefined && !isExpired) throw new Error('the code was rejected')
    },
  }
}

/** The browser has the challenge of the console, and has not answered it. */
async function beginSignIn({ post, get, show }: MemberBrowser): Promise<Interrupted> {
  const options = await post('/sign-in/options')
  return {
    name: 'console sign-in',
    async finish() {
      requireOk('the session before', await get('/admin/v1/me'))
      requireOk('the challenge', await post('/sign-in/verify', { response: await show(options) }))
      requireOk('the new session', await get('/admin/v1/me'))
    },
  }
}

/** Signs a member in with a link and adds a passkey. */
export async function addPasskey({ post, make }: MemberBrowser, signInLink: string): Promise<void> {
  const token = new URL(signInLink).hash.slice(1)
  requireOk('the link', await post('/sign-in/link', { token }))
  const response = await make(await post('/passkeys/options'))
  requireOk('the passkey', await post('/passkeys/verify', { name: 'Fault tests', response }))
}

function requireOk(what: string, { status, body }: { status: number; body: unknown }): void {
  if (status !== 200) throw new Error(`${what} was rejected with ${status}: ${JSON.stringify(body)}`)
}

function requireResult(location: string, name: 'code' | 'id_token'): string {
  const result = readLoginResult(new URL(location)).get(name)
  if (result === null) throw new Error(`the application got ${new URL(location).search}`)
  return result
}

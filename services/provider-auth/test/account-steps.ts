import { randomUUID } from 'node:crypto'
import { createEncryptor, EncryptionKeys, keyRing } from '#runtime'
import type { SeededSite, SharedStack } from '#testing'
import { inspectRedis } from '#testing'
import { findSession, insertSession } from '../store/sessions.ts'
import {
  getLocation,
  hiddenFields,
  openRedirect,
  openTestBrowser,
  type ProviderName,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'

/** Steps of an end user on the account page of a site. */
export interface AccountSteps {
  readonly address: (path?: string, parameters?: Readonly<Record<string, string>>) => string
  /** Opens a page and returns its text. */
  readonly read: (browser: TestBrowser, path?: string, parameters?: Readonly<Record<string, string>>) => Promise<string>
  /** Logs in to the page, and returns the location of the callback's response. */
  readonly logIn: (browser: TestBrowser, user: string, options?: LoginOptions) => Promise<string>
  /** Posts the form of a page, with further fields. */
  readonly post: (
    browser: TestBrowser,
    page: string,
    path: string,
    fields?: Readonly<Record<string, string>>,
  ) => Promise<Response>
  readonly newBrowser: (userAgent?: string) => TestBrowser
}

interface LoginOptions {
  readonly provider?: ProviderName
  readonly decision?: 'allow' | 'deny'
  /** The page that asks for the login. */
  readonly page?: string
}

/** The token of the session that a browser has with a site; empty without one. */
export function tokenOf({ cookies }: TestBrowser): string {
  return [...cookies].find(([name]) => name.startsWith('session-'))?.[1] ?? ''
}

/** Makes the login of a browser too old for what cannot be undone. */
export async function ageSession(
  { redis: { url }, encryption_keys }: Pick<SharedStack, 'redis' | 'encryption_keys'>,
  browser: TestBrowser,
): Promise<void> {
  const token = tokenOf(browser)
  using inspector = await inspectRedis(url)
  const redis = inspector.client
  using encryptor = await createEncryptor(keyRing(EncryptionKeys.parse(encryption_keys)))
  const session = await findSession({ redis, encryptor }, token)
  if (session === undefined) throw new Error('The browser has no session.')
  await insertSession({ redis, encryptor }, token, { ...session, auth_time_ms: session.auth_time_ms - 310_000 })
}

export function newUserName(): string {
  return `Account ${randomUUID()}`
}

/** @param stage read when a step runs */
export function createAccountSteps(
  stage: () => { readonly serviceStack: Pick<SharedStack, 'auth'>; readonly site: SeededSite },
): AccountSteps {
  const address: AccountSteps['address'] = (path = '', parameters = {}) => {
    const { serviceStack, site } = stage()
    const url = new URL(`${serviceStack.auth}/account${path}`)
    url.searchParams.set('site', `${site.account}/${site.site_id}`)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }
  const read: AccountSteps['read'] = async (browser, path, parameters) =>
    (await browser.open(address(path, parameters))).text()
  return {
    address,
    read,
    async logIn(browser, user, { provider = 'search', decision = 'allow', page } = {}) {
      const html = page ?? (await read(browser))
      const link = new RegExp(`<a class="login-button ${provider}" href="([^"]+)"`).exec(html)?.[1]
      if (link === undefined) throw new Error(`The page has no button of ${provider}: ${html}`)
      const atProvider = await openRedirect(browser, link.replaceAll('&amp;', '&'))
      const callback = await submitProviderSignIn(browser, atProvider, { user, decision })
      return getLocation(await browser.open(callback))
    },
    post: (browser, page, path, fields = {}) => browser.open(address(path), { ...hiddenFields(page), ...fields }),
    newBrowser: (userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0') =>
      openTestBrowser({ 'user-agent': userAgent, 'accept-language': 'en' }),
  }
}

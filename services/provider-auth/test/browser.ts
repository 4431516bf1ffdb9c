import type { BuiltInLoginProvider } from '#contracts'
import type { SeededSite, SharedStack } from '#testing'

/** Name and value; names can repeat. */
export type Field = readonly [name: string, value: string]

/** A browser without scripts: stores cookies as browsers do and follows no redirects by itself. */
export interface TestBrowser {
  /** Cookies by name; local hosts share them, regardless of the port. */
  readonly cookies: Map<string, string>
  readonly open: (address: string, form?: Readonly<Record<string, string>>) => Promise<Response>
  /** Posts a form from another site's page, without cookies, because ours are `SameSite=Lax`. */
  readonly postCrossSite: (address: string, form: readonly Field[]) => Promise<Response>
}

/** @param fields of every request, for example `user-agent` */
export function openTestBrowser(fields: Readonly<Record<string, string>> = {}): TestBrowser {
  const cookies = new Map<string, string>()
  const send = async (address: string, request: RequestInit) => {
    const headers = { ...fields, ...request.headers }
    const response = await fetch(address, { redirect: 'manual', ...request, headers })
    for (const field of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = field.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  const post = (form: Iterable<Field>) => ({
    method: 'POST',
    body: new URLSearchParams([...form].map(([...pair]) => pair)),
  })
  return {
    cookies,
    open(address, form) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      return send(address, { headers: { cookie }, ...(form && post(Object.entries(form))) })
    },
    postCrossSite: (address, form) => send(address, post(form)),
  }
}

export type ProviderName = BuiltInLoginProvider

/** The error of a provider if the end user denies. */
export function getDenialError(provider: ProviderName): string {
  return ownDenialErrors[provider] ?? 'access_denied'
}

const ownDenialErrors: Partial<Record<ProviderName, string>> = {
  messaging: 'ACCESS_DENIED',
  device: 'user_cancelled_authorize',
}

/** The authorization URL of a site's client. */
export function buildAuthorizeUrl(
  site: SeededSite,
  provider: ProviderName,
  changes: Readonly<Record<string, string | undefined>> = {},
): string {
  const parameters = {
    client_id: site.client.client_id,
    redirect_uri: site.client.redirect_uri,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'state-of-the-application',
    ...changes,
  }
  const url = new URL(site.providers[provider].authorize_uri)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** Returns the URL of a 302 redirect. */
export function getLocation(response: Response): string {
  const location = response.headers.get('location')
  if (response.status !== 302 || location === null)
    throw new Error(`Expected a redirect, not ${response.status} ${response.url}`)
  return location
}

/** Finds the form of a page that submits itself to another site. */
export function findSelfPostingForm(html: string): { action: string; fields: Field[] } | undefined {
  const action = /<form id="form-post" method="post" action="([^"]+)"/.exec(html)?.[1]
  return action === undefined ? undefined : { action: decode(action), fields: hiddenPairs(html) }
}

/** A form of ours that the browser posts to the application. */
export interface ResponseForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** Reads the form of a response with `response_mode=form_post`. */
export async function readResponseForm(response: Response): Promise<ResponseForm> {
  const form = response.status === 200 ? findSelfPostingForm(await response.text()) : undefined
  if (form === undefined) throw new Error(`Expected a form for the application, not ${response.status} ${response.url}`)
  return { action: form.action, fields: Object.fromEntries(form.fields) }
}

/** Returns the labels of a page's login buttons, in their order. */
export function listButtonLabels(html: string): string[] {
  return [...html.matchAll(/<a class="login-button \w+"[^>]*>([^<]+)</g)].map(([, label = '']) => label)
}

/**
 * Returns the URL of our callback from a provider's response, without opening it. Posts the form if the provider uses
 * form_post.
 */
export async function getCallbackUrl(browser: TestBrowser, signIn: Response): Promise<string> {
  if (signIn.status !== 200) return getLocation(signIn)
  const form = findSelfPostingForm(await signIn.text())
  if (form === undefined) throw new Error(`Neither a redirect nor a form that posts itself: ${signIn.url}`)
  const posted = await browser.postCrossSite(form.action, form.fields)
  const location = posted.headers.get('location')
  if (posted.status !== 303 || location === null) throw new Error(`Expected 303, not ${posted.status}`)
  return location
}

/** Opens a URL and returns the URL it redirects to. */
export async function openRedirect(browser: TestBrowser, address: string): Promise<string> {
  return getLocation(await browser.open(address))
}

/** How an end user submits the provider's page. */
interface ProviderSignIn {
  readonly user?: string
  readonly decision?: 'allow' | 'deny'
}

/** Signs in at the provider and returns the URL of our callback, without opening it. */
export async function submitProviderSignIn(
  browser: TestBrowser,
  atProvider: string,
  signIn?: ProviderSignIn,
): Promise<string> {
  return getCallbackUrl(browser, await submitProviderForm(browser, atProvider, signIn))
}

/** Submits the provider's page and returns the response. */
export async function submitProviderForm(
  browser: TestBrowser,
  atProvider: string,
  { user = 'Hanako Yamada', decision = 'allow' }: ProviderSignIn = {},
): Promise<Response> {
  const page = await browser.open(atProvider)
  const html = await page.text()
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]
  if (action === undefined) throw new Error(`No form on the provider's page (${page.status}): ${html}`)
  const fields = hiddenFields(html)
  return browser.open(new URL(action, atProvider).href, { ...fields, user, decision })
}

/** Completes a login and returns the URL at the application's redirect URI. */
export async function logIn(browser: TestBrowser, address: string, signIn: ProviderSignIn = {}): Promise<URL> {
  const callback = await submitProviderSignIn(browser, await openRedirect(browser, address), signIn)
  return new URL(await openRedirect(browser, callback))
}

interface LoginOptions extends ProviderSignIn {
  readonly browser?: TestBrowser
  /** Changes of the authorization request's parameters. */
  readonly parameters?: Readonly<Record<string, string | undefined>>
}

/** Logs an end user in with a provider, in a new browser by default; returns the URL at the client's redirect URI. */
export function logInWith(
  site: SeededSite,
  provider: ProviderName,
  { browser = openTestBrowser(), parameters, ...signIn }: LoginOptions = {},
): Promise<URL> {
  return logIn(browser, buildAuthorizeUrl(site, provider, parameters), signIn)
}

/** The URL of a site login, which returns a one-time token. */
export function buildAuthenticateUrl(
  { auth }: Pick<SharedStack, 'auth'>,
  site: SeededSite,
  provider: ProviderName,
  changes: Readonly<Record<string, string | undefined>> = {},
): string {
  const inPath = provider === 'microblog' ? 'microblog_x' : provider
  const url = new URL(`${auth}/${site.account}/${site.site_id}/${inPath}/authenticate`)
  const parameters = { callback: site.client.redirect_uri, state: 'state-of-the-application', ...changes }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** A complete site login; returns the one-time token in the callback. */
export async function fetchOneTimeToken(
  serviceStack: Pick<SharedStack, 'auth'>,
  site: SeededSite,
  { provider = 'messaging', user }: { readonly provider?: ProviderName; readonly user?: string } = {},
): Promise<string> {
  const address = buildAuthenticateUrl(serviceStack, site, provider)
  const callback = await logIn(openTestBrowser(), address, user === undefined ? {} : { user })
  const token = callback.searchParams.get('token')
  if (token === null) throw new Error(`Expected a one-time token, not ${callback.search}`)
  return token
}

/** The link URL that the customer's page builds from an `authenticate_uri`. */
export function buildLinkUrl(
  authenticateUri: string,
  site: SeededSite,
  changes: Readonly<Record<string, string | undefined>> = {},
): string {
  const url = new URL(authenticateUri)
  const parameters = { callback: site.client.redirect_uri, state: 'state-of-the-application', ...changes }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

type LinkDecision = 'link' | 'cancel'

/** Opens our confirmation page and returns how to submit it. */
export async function openLinkPage(
  browser: TestBrowser,
  address: string,
): Promise<(decision: LinkDecision) => Promise<Response>> {
  const page = await browser.open(address)
  const html = await page.text()
  if (page.status !== 200) throw new Error(`Expected the confirmation page, not ${page.status}: ${html}`)
  return (decision) => submitLinkForm(browser, { address, html, decision })
}

interface LinkForm {
  readonly address: string
  /** Of the confirmation page at this address. */
  readonly html: string
  readonly decision: LinkDecision
}

/** Submits the confirmation page of a link and returns the response. */
export function submitLinkForm(browser: TestBrowser, { address, html, decision }: LinkForm): Promise<Response> {
  const { origin, pathname } = new URL(address)
  return browser.open(origin + pathname, { ...hiddenFields(html), decision })
}

/** Submits our confirmation page and returns the response. */
export async function submitLinkDecision(
  browser: TestBrowser,
  address: string,
  decision: LinkDecision = 'link',
): Promise<Response> {
  return (await openLinkPage(browser, address))(decision)
}

/** The hidden fields of a page's form. */
export function hiddenFields(html: string): Record<string, string> {
  return Object.fromEntries(hiddenPairs(html))
}

function hiddenPairs(html: string): Field[] {
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return hidden.map(([, name = '', value = '']) => [name, decode(value)])
}

const characters: Readonly<Record<string, string>> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' }

/** Decodes an HTML attribute. */
function decode(attribute: string): string {
  return attribute.replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => characters[name] ?? '')
}

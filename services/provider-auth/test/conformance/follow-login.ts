import { findSelfPostingForm, hiddenFields, type ResponseForm, type TestBrowser } from '../browser.ts'

/** Where a browser's redirects end: at the application or at a page. */
export interface BrowserLogin {
  /** The redirect to the application with a response; undefined if there was none. */
  readonly response: URL | undefined
  /** The form for the application with a response; undefined if there was none. */
  readonly form?: ResponseForm
  readonly page: Response | undefined
  /** Number of pages that the end user submitted. */
  readonly interactions: number
}

/**
 * Completes a login as an end user does: follows redirects, chooses the provider if necessary, and signs in at the
 * provider.
 * @param authorize_uri the authorization endpoint of the chosen provider
 */
export async function followLogin(
  browser: TestBrowser,
  first: Response,
  {
    redirect_uri,
    user,
    authorize_uri,
  }: { readonly redirect_uri: string; readonly user: string; readonly authorize_uri: string },
): Promise<BrowserLogin> {
  let response = first
  let interactions = 0
  for (let steps = 0; steps < 12; steps++) {
    const location = response.headers.get('location')
    if (location !== null) {
      const next = new URL(location, response.url)
      if (next.href.startsWith(redirect_uri)) return { response: next, page: undefined, interactions }
      response = await browser.open(next.href)
      continue
    }
    const html = await response.clone().text()
    const posted = response.status === 200 ? findSelfPostingForm(html) : undefined
    if (posted !== undefined && posted.action === redirect_uri) {
      const form = { action: posted.action, fields: Object.fromEntries(posted.fields) }
      return { response: undefined, form, page: undefined, interactions }
    }
    if (posted !== undefined) {
      response = await browser.postCrossSite(posted.action, posted.fields)
      continue
    }
    const ways = [...html.matchAll(/<a [^>]*href="([^"]+\/oauth2\/authorize\/[^"]+)"/g)]
    const way = ways
      .map(([, address = '']) => address.replaceAll('&amp;', '&'))
      .find((to) => to.startsWith(authorize_uri))
    if (response.status === 200 && way !== undefined) {
      interactions++
      response = await browser.open(way)
      continue
    }
    const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]
    if (response.status !== 200 || action === undefined) return { response: undefined, page: response, interactions }
    interactions++
    const form = { ...hiddenFields(html), user, decision: 'allow' }
    response = await browser.open(new URL(action, response.url).href, form)
  }
  throw new Error(`The login loops at ${response.url}`)
}

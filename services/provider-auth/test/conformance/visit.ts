import { hiddenFields, selfPostingForm, type TestBrowser } from '../browser.ts'

/** Where a browser that was sent somewhere ends: at the application, or at a page that goes no further. */
export interface Visit {
  /** The application's address, opened with an answer; undefined where it was never reached. */
  readonly answer: URL | undefined
  readonly page: Response | undefined
  /** How many pages a person had to answer. */
  readonly interactions: number
}

/**
 * What a person does who logs in: goes where redirects lead, chooses search where there is a choice, and says who
 * they are wherever the provider asks.
 */
export async function visit(
  browser: TestBrowser,
  first: Response,
  { redirect_uri, user }: { readonly redirect_uri: string; readonly user: string },
): Promise<Visit> {
  let response = first
  let interactions = 0
  for (let steps = 0; steps < 12; steps++) {
    const location = response.headers.get('location')
    if (location !== null) {
      const next = new URL(location, response.url)
      if (next.href.startsWith(redirect_uri)) return { answer: next, page: undefined, interactions }
      response = await browser.open(next.href)
      continue
    }
    const html = await response.clone().text()
    const posted = response.status === 200 ? selfPostingForm(html) : undefined
    if (posted !== undefined) {
      response = await browser.postFromElsewhere(posted.action, posted.fields)
      continue
    }
    const way = /<a href="([^"]+\/oauth2\/authorize\/search\/[^"]+)"/.exec(html)?.[1]
    if (response.status === 200 && way !== undefined) {
      interactions++
      response = await browser.open(way.replaceAll('&amp;', '&'))
      continue
    }
    const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]
    if (response.status !== 200 || action === undefined) return { answer: undefined, page: response, interactions }
    interactions++
    const form = { ...hiddenFields(html), user, decision: 'allow' }
    response = await browser.open(new URL(action, response.url).href, form)
  }
  throw new Error(`A login goes round in circles at ${response.url}`)
}

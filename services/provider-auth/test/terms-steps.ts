import type { TermsDocument } from '#contracts'
import type { SeededSite, SharedStack } from '#testing'
import { newUserName } from './account-steps.ts'
import { getLocation, hiddenFields, openRedirect, submitProviderSignIn, type TestBrowser } from './browser.ts'

type NewDocument = Partial<TermsDocument> & Pick<TermsDocument, 'name'>

export function toDocument({ name, ...changes }: NewDocument): TermsDocument {
  return {
    name,
    kind: 'required',
    version: 1,
    minimum_version: 1,
    texts: { en: { title: `The ${name}`, url: `https://shop.example.com/{language}/${name}` } },
    ...changes,
  }
}

/** Required terms and an optional newsletter. */
export const usualDocuments = [toDocument({ name: 'terms' }), toDocument({ name: 'newsletter', kind: 'optional' })]

/** A page that asks for answers, and its address. */
export interface TermsPage {
  readonly address: string
  readonly html: string
}

/** Steps with the terms of a site. */
export interface TermsSteps {
  readonly setDocuments: (documents: readonly TermsDocument[]) => Promise<void>
  /** The answers of a user, without their times. */
  readonly answersOf: (identifier: string) => Promise<readonly object[]>
  /** Logs in at the provider, and returns where the callback leads. */
  readonly logIn: (browser: TestBrowser, address: string, user: string) => Promise<string>
  /** As `logIn`, to the page that asks for answers. */
  readonly logInToPage: (browser: TestBrowser, address: string, user?: string) => Promise<TermsPage>
  /** Posts the form of the page. */
  readonly post: (browser: TestBrowser, page: TermsPage, fields: Readonly<Record<string, string>>) => Promise<Response>
  /** Accepts the documents, and returns where the application receives the response. */
  readonly accept: (browser: TestBrowser, page: TermsPage, names: readonly string[]) => Promise<URL>
}

/** @param stage read when a step runs */
export function createTermsSteps(
  stage: () => { readonly serviceStack: SharedStack; readonly site: SeededSite },
): TermsSteps {
  const logIn: TermsSteps['logIn'] = async (browser, address, user) =>
    getLocation(await browser.open(await submitProviderSignIn(browser, await openRedirect(browser, address), { user })))
  const post: TermsSteps['post'] = (browser, { address, html }, fields) =>
    browser.open(new URL(address).origin + new URL(address).pathname, { ...hiddenFields(html), ...fields })
  return {
    logIn,
    post,
    async setDocuments(documents) {
      const { serviceStack, site } = stage()
      const { provider_auth, call } = serviceStack
      const { revision } = await provider_auth.readTerms({ site: site.site }, call())
      const change = { site: site.site, documents: [...documents], expected_revision: revision }
      await provider_auth.changeTerms(change, call())
    },
    async answersOf(identifier) {
      const { serviceStack, site } = stage()
      const { consents } = await serviceStack.identity.readConsents(
        { site: site.site, identifier },
        serviceStack.call(),
      )
      return consents.map(({ answered_at: _, ...answer }) => answer)
    },
    async logInToPage(browser, address, user = newUserName()) {
      const location = await logIn(browser, address, user)
      const response = await browser.open(location)
      const html = await response.text()
      if (response.status !== 200) throw new Error(`${location} does not ask: ${response.status} ${html}`)
      return { address: location, html }
    },
    async accept(browser, page, names) {
      const accepted = Object.fromEntries(names.map((name) => [`accept_${name}`, 'yes']))
      return new URL(getLocation(await post(browser, page, { decision: 'accept', ...accepted })))
    },
  }
}

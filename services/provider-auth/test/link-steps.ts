import { expect } from 'vitest'
import type { Provider } from '#contracts'
import type { SeededSite, SharedStack } from '#testing'
import {
  buildLinkUrl,
  fetchOneTimeToken,
  getLocation,
  openTestBrowser,
  type ProviderName,
  submitLinkDecision,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'

/** Links accounts of a site's users, as their browsers do. `stage` is called when a test runs. */
export function createLinkSteps(stage: () => { readonly serviceStack: SharedStack; readonly site: SeededSite }) {
  let userCount = 0
  /** A provider account that is not linked to any user yet. */
  const newAccount = () => ({ user: `Account ${++userCount}` })

  /** A new user who logged in through messaging. */
  async function newUser(): Promise<string> {
    const { serviceStack, site } = stage()
    const token = await fetchOneTimeToken(serviceStack, site, { user: `Person ${++userCount}` })
    const redeemed = await serviceStack.provider_auth.redeemOneTimeToken(
      { site: site.site, token },
      serviceStack.call(),
    )
    return redeemed.identifier
  }

  async function issue(identifier: string, provider: ProviderName = 'search'): Promise<string> {
    const { serviceStack, site } = stage()
    const input = { site: site.site, identifier, provider }
    const { authenticate_uri } = await serviceStack.provider_auth.issueAssociationToken(input, serviceStack.call())
    return authenticate_uri
  }

  const addressFor = async (identifier: string, provider?: ProviderName) =>
    buildLinkUrl(await issue(identifier, provider), stage().site)

  /** Confirms the link, and returns the address of the provider. */
  const confirm = async (address: string, browser: TestBrowser) =>
    getLocation(await submitLinkDecision(browser, address))

  /** Continues from the opened confirmation page to the callback. */
  async function link(
    address: string,
    response: Parameters<typeof submitProviderSignIn>[2] = newAccount(),
    browser: TestBrowser = openTestBrowser(),
  ): Promise<Record<string, string>> {
    const atProvider = await confirm(address, browser)
    return read(await browser.open(await submitProviderSignIn(browser, atProvider, response)))
  }

  /** The parameters of a callback. */
  function read(response: Response): Record<string, string> {
    const location = new URL(getLocation(response))
    expect(`${location.origin}${location.pathname}`).toBe(stage().site.client.redirect_uri)
    return Object.fromEntries(location.searchParams)
  }

  const open = async (address: string, browser = openTestBrowser()) => read(await browser.open(address))

  async function linksOf(identifier: string): Promise<Provider[]> {
    const { serviceStack, site } = stage()
    const { links } = await serviceStack.identity.resolveUser({ site: site.site, identifier }, serviceStack.call())
    return links.map(({ provider }) => provider).sort()
  }

  return { newAccount, newUser, issue, addressFor, confirm, link, read, open, linksOf }
}

export const failedParameters = (reason: string) => ({ status: 'failed', reason, state: 'state-of-the-application' })

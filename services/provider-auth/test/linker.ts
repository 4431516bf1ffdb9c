import { expect } from 'vitest'
import type { Provider } from '#contracts'
import type { SeededSite, SharedConstellation } from '#testing'
import {
  answerProvider,
  associateAddress,
  confirm,
  fetchOneTimeToken,
  locationOf,
  openTestBrowser,
  type ProviderName,
  type TestBrowser,
} from './browser.ts'

/** Links accounts of a site's users, as their browsers do. The site is read when a test runs. */
export function linkerAt(stage: () => { readonly constellation: SharedConstellation; readonly site: SeededSite }) {
  let people = 0
  /** An account at the provider that is linked to no user yet. */
  const newAccount = () => ({ user: `Account ${++people}` })

  /** A user who logged in through messaging, under a name of their own. */
  async function newUser(): Promise<string> {
    const { constellation, site } = stage()
    const token = await fetchOneTimeToken(constellation, site, { user: `Person ${++people}` })
    const redeemed = await constellation.provider_auth.redeemOneTimeToken(
      { site: site.site, token },
      constellation.call(),
    )
    return redeemed.identifier
  }

  async function issue(identifier: string, provider: ProviderName = 'search'): Promise<string> {
    const { constellation, site } = stage()
    const wanted = { site: site.site, identifier, provider }
    const { authenticate_uri } = await constellation.provider_auth.issueAssociationToken(wanted, constellation.call())
    return authenticate_uri
  }

  const addressFor = async (identifier: string, provider?: ProviderName) =>
    associateAddress(await issue(identifier, provider), stage().site)

  /** From the opened confirmation page to the callback. */
  async function link(
    address: string,
    answer: Parameters<typeof answerProvider>[2] = newAccount(),
    browser: TestBrowser = openTestBrowser(),
  ): Promise<Record<string, string>> {
    const atProvider = locationOf(await confirm(browser, address))
    return read(await browser.open(await answerProvider(browser, atProvider, answer)))
  }

  /** The parameters that a callback is opened with. */
  function read(response: Response): Record<string, string> {
    const location = new URL(locationOf(response))
    expect(`${location.origin}${location.pathname}`).toBe(stage().site.client.redirect_uri)
    return Object.fromEntries(location.searchParams)
  }

  const open = async (address: string, browser = openTestBrowser()) => read(await browser.open(address))

  async function linksOf(identifier: string): Promise<Provider[]> {
    const { constellation, site } = stage()
    const { links } = await constellation.identity.resolveUser({ site: site.site, identifier }, constellation.call())
    return links.map(({ provider }) => provider).sort()
  }

  return { newAccount, newUser, issue, addressFor, link, read, open, linksOf }
}

export const failed = (reason: string) => ({ status: 'failed', reason, state: 'state-of-the-application' })

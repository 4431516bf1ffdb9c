import {
  getLocation,
  openRedirect,
  openTestBrowser,
  submitLinkForm,
  submitProviderSignIn,
} from '../../services/provider-auth/test/browser.ts'
import type { FaultSite } from './site.ts'
import { callWebApi } from './web-api.ts'

/** Returns the `authenticate_uri` with which a user links an account of the provider search. */
export async function issueAssociationToken(site: FaultSite, identifier: string): Promise<string> {
  const { body } = await callWebApi(site, 'association_token', { identifier, target_provider: 'search' })
  return String(Reflect.get(Object(JSON.parse(body)), 'authenticate_uri'))
}

function readStatus(location: string): string {
  return new URL(location).searchParams.get('status') ?? ''
}

/**
 * Continues from an `authenticate_uri` to our callback. Returns how to open it, which resolves to the `status` that the
 * customer's page gets. A token that was used leads there at once.
 */
export async function prepareLink(
  site: FaultSite,
  authenticateUri: string,
  user: string,
): Promise<() => Promise<string>> {
  const back = site.demo.clients[0].redirect_uris[0] ?? ''
  const url = new URL(authenticateUri)
  url.searchParams.set('callback', back)
  const browser = openTestBrowser()
  const page = await browser.open(url.href)
  if (page.status === 302) return async () => readStatus(getLocation(page))
  const form = { address: url.href, html: await page.text(), decision: 'link' } as const
  const decided = getLocation(await submitLinkForm(browser, form))
  if (decided.startsWith(back)) return async () => readStatus(decided)
  const callback = await submitProviderSignIn(browser, decided, { user })
  return async () => readStatus(await openRedirect(browser, callback))
}

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  buildLinkUrl,
  fetchOneTimeToken,
  hiddenFields,
  openLinkPage,
  openTestBrowser,
  submitLinkDecision,
} from './browser.ts'
import { createLinkSteps, failedParameters } from './link-steps.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()
const { newAccount, newUser, issue, addressFor, link, read, open, linksOf } = createLinkSteps(() => ({
  serviceStack,
  site,
}))
const call = () => serviceStack.call()

describe('the confirmation page', () => {
  test('200: shows which account is linked to which application; opening it repeatedly changes nothing', async () => {
    const identifier = await newUser()
    const primaryKey = `customer-${randomUUID()}`
    await serviceStack.identity.mapPrimaryKey(
      { site: site.site, identifier, primary_key: primaryKey, overwrite: false },
      call(),
    )
    const browser = openTestBrowser()
    const address = await addressFor(identifier)
    for (let time = 0; time < 2; time++) {
      const response = await browser.open(address)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      const html = await response.text()
      for (const shown of [primaryKey, 'Person ', 'search', `${site.account}/${site.site_id}`])
        expect(html).toContain(shown)
      expect(html).not.toMatch(/<script|\s(style|on\w+)=/)
    }
    expect(await linksOf(identifier)).toEqual(['messaging'])
  })

  test('allows only its own form: no scripts, no frames', async () => {
    const policy = (await openTestBrowser().open(await addressFor(await newUser()))).headers.get(
      'content-security-policy',
    )
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' http: https:;")
  })

  test('allows its form to redirect to an app’s custom scheme', async () => {
    const callback = 'com.example.app:/callback'
    await serviceStack.provider_auth.registerClient(
      { site: site.site, name: 'app', kind: 'public', redirect_uris: [callback] },
      call(),
    )
    const response = await openTestBrowser().open(
      buildLinkUrl(await issue(await newUser()), site, { callback, state: undefined }),
    )
    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'self' http: https: com.example.app:;",
    )
  })

  test('shows any name as text', async () => {
    const name = '<b>"Bobby" & Söhne</b>'
    const token = await fetchOneTimeToken(serviceStack, site, { user: name })
    const { identifier } = await serviceStack.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    const html = await (await openTestBrowser().open(await addressFor(identifier))).text()
    expect(html).toContain('&lt;b&gt;&quot;Bobby&quot; &amp; Söhne&lt;/b&gt;')
    expect(html).not.toContain('<b>')
  })

  test('302 access_denied if the end user cancels, and the token is invalid', async () => {
    const identifier = await newUser()
    const browser = openTestBrowser()
    const address = await addressFor(identifier)
    expect(read(await submitLinkDecision(browser, address, 'cancel'))).toEqual(failedParameters('access_denied'))
    expect([...browser.cookies.keys()]).toEqual([])
    expect(await open(address, browser)).toEqual(failedParameters('token_invalid'))
  })

  test('a scanner of mail or a preview in a chat that opens the link first does not take it', async () => {
    const address = await addressFor(await newUser())
    expect((await openTestBrowser().open(address)).status).toBe(200)
    expect(await link(address)).toMatchObject({ status: 'authorized' })
  })

  test('302 token_invalid in a second browser after the first has confirmed; the first one continues', async () => {
    const [first, second] = [openTestBrowser(), openTestBrowser()]
    const address = await addressFor(await newUser())
    await submitLinkDecision(first, address)
    expect(await open(address, second)).toEqual(failedParameters('token_invalid'))
    expect(await link(address, newAccount(), first)).toMatchObject({ status: 'authorized' })
  })

  test('of two browsers that confirm at the same time only one is admitted', async () => {
    const address = await addressFor(await newUser())
    // Once a browser has confirmed, another one cannot open the page.
    const pages = [await openLinkPage(openTestBrowser(), address), await openLinkPage(openTestBrowser(), address)]
    const responses = await Promise.all(pages.map((submit) => submit('link')))
    const locations = responses.map((response) => new URL(response.headers.get('location') ?? ''))
    expect(locations.map(({ searchParams }) => searchParams.get('reason')).sort()).toEqual([null, 'token_invalid'])
  })

  /** The fields of the confirmation page's form. */
  async function openedForm() {
    const browser = openTestBrowser()
    const address = await addressFor(await newUser())
    const fields = hiddenFields(await (await browser.open(address)).text())
    const target = new URL(address).origin + new URL(address).pathname
    const send = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      fetch(target, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ ...fields, decision: 'link', ...changes }),
        headers: { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '), ...headers },
      })
    return { send, browser, target, fields }
  }

  test.each([
    ['no proof', { csrf: '' }, {}],
    ['a wrong form token', { csrf: 'a'.repeat(64) }, {}],
    ['another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', {}, { 'sec-fetch-site': 'same-site' }],
  ])('400 for a form from %s, even in the right browser', async (_, changes, headers: object) => {
    const { send } = await openedForm()
    const response = await send(changes, { ...headers })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(await response.text()).toContain('The confirmation was not sent from our confirmation page.')
    expect((await send({}, { 'sec-fetch-site': 'same-origin' })).status).toBe(302)
  })

  test('302 token_invalid for a form from another browser, and for one sent before the page was opened', async () => {
    const { target, fields } = await openedForm()
    expect(read(await openTestBrowser().open(target, { ...fields, decision: 'link' }))).toEqual(
      failedParameters('token_invalid'),
    )
    const address = new URL(await addressFor(await newUser()))
    const unopened = { ...Object.fromEntries(address.searchParams), decision: 'link', csrf: 'x' }
    expect(read(await openTestBrowser().open(target, unopened))).toEqual(failedParameters('token_invalid'))
  })

  test('400 for a form with another callback', async () => {
    const { send } = await openedForm()
    expect((await send({ callback: 'https://evil.example/' })).status).toBe(400)
  })
})

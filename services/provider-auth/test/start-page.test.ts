import { beforeAll, describe, expect, test } from 'vitest'
import type { SeededSite } from '#testing'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()
const { site: plain } = createSiteFixture()
beforeAll(async () => {
  for (const { site: number } of [site, plain])
    await serviceStack.identity.changeSite({ site: number, name: 'The <Shop>' }, serviceStack.call())
  await serviceStack.identity.changeSite({ site: site.site, start_url: startUrl }, serviceStack.call())
})

const startUrl = 'https://shop.example.com/log-in?from="x"&a=1'
const forward = (text: string) =>
  `<p class="forward"><a href="https://shop.example.com/log-in?from=&quot;x&quot;&amp;a=1">${text}</a></p>`
const go = 'Go to \u2068The &lt;Shop&gt;\u2069'

async function openPage(address: string, language = 'en'): Promise<string> {
  const response = await fetch(address, { redirect: 'manual', headers: { 'accept-language': language } })
  expect(response.status).toBe(400)
  return response.text()
}

/** The callback of a login, as another browser opens it. */
async function returnElsewhere(shop: SeededSite): Promise<string> {
  const browser = openTestBrowser()
  return submitProviderSignIn(browser, await openRedirect(browser, buildAuthorizeUrl(shop, 'messaging')))
}

describe('an error page names the site and leads to its start page', () => {
  test('when a login comes back in another browser, as from the app of the provider', async () => {
    const html = await openPage(await returnElsewhere(site))
    expect(html).toContain('The login was started in another browser')
    expect(html).toContain('Log in again in this browser.')
    expect(html).toContain('<header><bdi>The &lt;Shop&gt;</bdi></header>')
    expect(html).toContain(forward(go))
  })

  test('in Japanese', async () => {
    const html = await openPage(await returnElsewhere(site), 'ja')
    expect(html).toContain('このブラウザーで、最初からログインしてください。')
    expect(html).toContain(forward('\u2068The &lt;Shop&gt;\u2069 を開く'))
  })

  test.each([
    ['a login that has ended', () => `${site.providers.search.provider_callback}?state=unknown`],
    ['an unknown client', () => buildAuthorizeUrl(site, 'search', { client_id: 'unknown' })],
    ['an unregistered redirect URI', () => buildAuthorizeUrl(site, 'search', { redirect_uri: 'https://evil.example' })],
    [
      'an unregistered callback',
      () => buildAuthenticateUrl(serviceStack, site, 'search', { callback: 'https://x.example' }),
    ],
  ])('for %s', async (_, address) => {
    expect(await openPage(address())).toContain(forward(go))
  })
})

test('a site without the setting leads to the origin of its application', async () => {
  const html = await openPage(await returnElsewhere(plain))
  expect(html).toContain('<header><bdi>The &lt;Shop&gt;</bdi></header>')
  expect(html).toContain('<p class="forward"><a href="https://shop.example.com">')
})

test('a start page must be a web address', async () => {
  for (const wrong of ['javascript:alert(1)', 'shop', 'ftp://shop.example.com'])
    await expect(
      serviceStack.identity.changeSite({ site: site.site, start_url: wrong }, serviceStack.call()),
    ).rejects.toThrow()
})

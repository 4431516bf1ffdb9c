import { expect, test } from 'vitest'
import { buildAuthenticateUrl, buildAuthorizeUrl, openRedirect, openTestBrowser } from './browser.ts'
import { createOwnSiteFixture } from './site-fixture.ts'

const nowhere = 'http://localhost:1'

const { serviceStack, site } = createOwnSiteFixture(() => ({
  providerAuthEnvironment: { PROVIDER_SIMULATOR_URL: nowhere },
}))

/** A login whose provider becomes unavailable before the callback; returns the URL at the application. */
async function logIn(address: string): Promise<URLSearchParams> {
  const browser = openTestBrowser()
  const atProvider = new URL(await openRedirect(browser, address))
  const callback = new URL(site.providers.search.provider_callback)
  const state = atProvider.searchParams.get('state') ?? ''
  callback.search = new URLSearchParams({ code: 'x', state, iss: `${nowhere}/search` }).toString()
  return new URL(await openRedirect(browser, callback.href)).searchParams
}

test('a provider that is down: server_error', async () => {
  const parameters = await logIn(buildAuthorizeUrl(site, 'search'))
  expect(parameters.get('error')).toBe('server_error')
  expect(parameters.get('state')).toBe('state-of-the-application')
})

test('302 with provider_unavailable when the provider does not respond', async () => {
  const parameters = await logIn(buildAuthenticateUrl(serviceStack, site, 'search'))
  expect(parameters.get('reason')).toBe('provider_unavailable')
})

import { afterEach, describe, expect, test } from 'vitest'
import { endScenarios, startScenario } from '../../provider-simulator/test/scenario-api.ts'
import {
  buildAuthorizeUrl,
  logInWith,
  openRedirect,
  openTestBrowser,
  type ProviderName,
  submitProviderSignIn,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()
afterEach(() => endScenarios(serviceStack.simulator))

const logInAs = (provider: ProviderName, user = 'Mallory') => logInWith(site, provider, { user })
const errorAt = async (provider: ProviderName, user?: string) =>
  (await logInAs(provider, user)).searchParams.get('error')

describe.each<ProviderName>(['messaging', 'portal', 'search'])('a scenario for one user at %s', (provider) => {
  test.each([
    'unsigned_token',
    'wrong_signature',
    'key_confusion',
    'wrong_issuer',
    'wrong_audience',
    'wrong_nonce',
    'wrong_subject',
    'expired_id_token',
    'wrong_userinfo',
  ])('%s: server_error, and other logins succeed', async (scenario) => {
    await startScenario(serviceStack.simulator, { scenario, name: 'Mallory', provider })
    expect(await errorAt(provider)).toBe('server_error')
    expect(await errorAt(provider, 'Hanako')).toBeNull()
  })

  test.each([
    ['no_email', undefined, undefined],
    ['unverified_email', expect.stringContaining('@'), false],
  ])('%s: a login with the e-mail address %s', async (scenario, email, emailVerified) => {
    await startScenario(serviceStack.simulator, { scenario, name: 'Mallory' })
    const { access_token } = await application.redeem(await logInAs(provider))
    const received = await application.userinfo(access_token)
    expect({ email: received.email, email_verified: received.email_verified }).toEqual({
      email,
      email_verified: emailVerified,
    })
  })
})

describe.each<ProviderName>(['messaging', 'portal', 'social', 'search', 'microblog'])('%s', (provider) => {
  test('deny: access_denied, with the provider’s own error', async () => {
    await startScenario(serviceStack.simulator, { scenario: 'deny', name: 'Mallory' })
    expect(await errorAt(provider)).toMatch(/^access_denied$/i)
  })

  test.each(['unavailable', 'rate_limited', 'html_error', 'hang_up'])(
    '%s during a login: server_error',
    async (scenario) => {
      const browser = openTestBrowser()
      const callback = await submitProviderSignIn(
        browser,
        await openRedirect(browser, buildAuthorizeUrl(site, provider)),
      )
      await startScenario(serviceStack.simulator, { scenario, provider })
      expect(new URL(await openRedirect(browser, callback)).searchParams.get('error')).toBe('server_error')
    },
  )
})

test('a provider that exceeds the deadline: server_error', async () => {
  await startScenario(serviceStack.simulator, { scenario: 'slow', provider: 'search', seconds: 60 })
  expect(await errorAt('search')).toBe('server_error')
})

import { beforeAll, beforeEach, expect, test } from 'vitest'
import { registerAtSimulator } from '#testing'
import { buildAuthorizeUrl, logInWith, openRedirect, openTestBrowser, type TestBrowser } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'
import { expectEventData } from './user-events.ts'

const { serviceStack, site, application } = createSiteFixture()
const redirectUri = () => site.providers.search.provider_callback
const link = async (identifier: string) => {
  const { identity, call } = serviceStack
  return identity.resolveUser({ site: site.site, identifier }, call())
}

async function saveSettings(options: Record<string, string>): Promise<void> {
  const { client_id, client_secret } = site.providers.search
  const settings = { site: site.site, account: site.account, site_id: site.site_id, provider: 'search' as const }
  await serviceStack.provider_auth.saveProviderSettings(
    { ...settings, client_id, client_secret, options },
    serviceStack.call(),
  )
}

beforeAll(async () => {
  const { client_id, client_secret, webhook_uris } = site.providers.search
  await registerAtSimulator(serviceStack.simulator, {
    provider: 'search',
    client_id,
    client_secret,
    redirect_uris: [redirectUri()],
    notification_uri: webhook_uris.events ?? '',
  })
})
beforeEach(() => saveSettings({}))

/** An event at the provider; returns the status of our response. */
async function report(event: string, user: string, fields: Record<string, string> = {}): Promise<unknown> {
  const { client_id } = site.providers.search
  const body = new URLSearchParams({ user, client_id, ...fields })
  const response = await fetch(`${serviceStack.simulator}/search/account/${event}`, { method: 'POST', body })
  return Reflect.get(Object(await response.json()), 'notified')
}

const address = (fields: Record<string, string> = {}) => buildAuthorizeUrl(site, 'search', fields)

async function newUser(user: string) {
  const browser = openTestBrowser()
  const tokens = await application.redeem(await logInWith(site, 'search', { browser, user }))
  const { sub = '' } = await application.verify(tokens.id_token)
  return { user, identifier: sub, browser, ...tokens }
}

/** What `prompt=none` answers: an error, or a code. */
async function readSession(browser: TestBrowser): Promise<string | null> {
  const callback = new URL(await openRedirect(browser, address({ prompt: 'none' })))
  return callback.searchParams.get('error') ?? (callback.searchParams.has('code') ? 'code' : null)
}

test.each(['sessions-revoked', 'account-disabled'])(
  '%s ends sessions and tokens; the user can log in again',
  async (event) => {
    const { user, identifier, browser, access_token } = await newUser(`Ends ${event}`)
    expect(await readSession(browser)).toBe('code')
    expect(await report(event, user, { reason: 'hijacking' })).toBe(202)
    expect(await readSession(browser)).toBe('login_required')
    expect(await application.userinfo(access_token)).toMatchObject({ error: 'invalid_token' })
    expect(await application.userOf(await logInWith(site, 'search', { user }))).toBe(identifier)
  },
)

test('a disabled account blocks its user with the option, until it is enabled', async () => {
  await saveSettings({ disabled_accounts: 'block' })
  const { user, identifier } = await newUser('Is Hijacked')
  expect(await report('account-disabled', user, { reason: 'hijacking' })).toBe(202)
  expect((await link(identifier)).user.block).toMatchObject({
    by: 'Google',
    until: null,
    reason: 'The login provider disabled the account, because someone else took it over.',
  })
  await expectEventData(serviceStack, { site: site.site, identifier }, 'user.blocked', [{ until: null }])
  expect(await report('account-enabled', user)).toBe(202)
  expect((await link(identifier)).user.block).toBeUndefined()
})

test('a block by a member stays as it is', async () => {
  await saveSettings({ disabled_accounts: 'block' })
  const { user, identifier } = await newUser('Is Blocked Already')
  const block = { until: '2100-01-01T00:00:00Z', reason: 'Spam', by: 'A member' }
  await serviceStack.identity.blockUser({ site: site.site, identifier, ...block }, serviceStack.call())
  expect(await report('account-disabled', user)).toBe(202)
  expect((await link(identifier)).user.block).toMatchObject(block)
  expect(await report('account-enabled', user)).toBe(202)
  expect((await link(identifier)).user.block).toMatchObject(block)
})

test('tokens-revoked deletes the stored tokens; the link stays', async () => {
  const { user, identifier } = await newUser('Removes Access')
  expect(await report('tokens-revoked', user)).toBe(202)
  const { links } = await link(identifier)
  expect(links.map(({ provider }) => provider)).toEqual(['search'])
  const { provider_auth, call } = serviceStack
  const stored = await provider_auth.exportCredentials(
    { site: site.site, link_ids: links.map(({ link_id }) => link_id) },
    call(),
  )
  expect(stored.credentials).toEqual({})
  await expectEventData(serviceStack, { site: site.site, identifier }, 'consent.revoked', [
    { provider: 'search', cause: 'consent_revoked' },
  ])
})

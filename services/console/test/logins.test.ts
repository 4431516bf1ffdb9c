import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import { limits } from '#contracts'
import { passClockSteps, seedSite, writeCountryDatabase } from '#testing'
import { applicationOf } from '../../provider-auth/test/application.ts'
import {
  buildAuthorizeUrl,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from '../../provider-auth/test/browser.ts'
import { startScenario } from '../../provider-simulator/test/scenario-api.ts'
import { createLoginLogReader } from './login-log-reader.ts'
import { createSeparateUsageFixture, waitForReports } from './usage-fixture.ts'

const database = join(inject('directory'), `${randomUUID()}.mmdb`)
writeCountryDatabase(database, { '192.0.2.0/24': 'JP' })
const stage = createSeparateUsageFixture({
  providerAuthEnvironment: { TRUSTED_PROXY_HOPS: '1', COUNTRY_DATABASE: database, LOGINS_PER_ADDRESS: '60' },
})
const log = createLoginLogReader(stage)

const address = '192.0.2.77'
const userAgent =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile Safari/537.36 Line/15.9.0/IAB'
const openBrowser = () => openTestBrowser({ 'user-agent': userAgent, 'x-forwarded-for': address })

/** A client of its own, so that a test finds its logins. */
async function registerClient(): Promise<typeof stage.site> {
  const { serviceStack, site } = stage
  const { redirect_uri } = site.client
  const { client_id, client_secret } = await serviceStack.provider_auth.registerClient(
    { site: site.site, name: 'own', kind: 'confidential', redirect_uris: [redirect_uri] },
    serviceStack.call(),
  )
  return { ...site, client: { client_id, client_secret: client_secret ?? '', redirect_uri } }
}

const logInAt = (site: typeof stage.site, user: string, changes: Record<string, string> = {}) =>
  logInWith(site, 'search', { browser: openBrowser(), user, parameters: changes })

test('a completed login has its user, browser, country and the duration of each step', async () => {
  const site = await registerClient()
  const callback = await logInAt(site, 'New user')
  const identifier = await applicationOf(stage.serviceStack, site).userOf(callback)
  const { client_id } = site.client
  const login = await log.find(`client_id=${client_id}`, { reason: 'succeeded' })
  const milliseconds = expect.any(Number)
  expect(login).toEqual({
    login_id: expect.any(String),
    at: expect.stringMatching(/Z$/),
    kind: 'openid',
    provider: 'search',
    client_id,
    result: 'completed',
    reason: 'succeeded',
    error: null,
    identifier,
    is_new_user: true,
    browser: 'line',
    country: 'JP',
    is_test: false,
    ended_at: expect.stringMatching(/Z$/),
    at_provider_ms: milliseconds,
    provider_ms: milliseconds,
    recording_ms: milliseconds,
    callback_ms: milliseconds,
  })
  const names = ['started', 'returned', 'provider_requests', 'recorded', 'ended', 'redeemed']
  // The application redeems the code after the end of the login.
  const { steps, explanation, started_by, ended_by, rejection } = await waitForReports(async () => {
    const details = await log.read(login.login_id)
    expect(details.steps.map(({ step }) => step)).toEqual(names)
    return details
  })
  const times = steps.map(({ after_ms }) => after_ms)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect([explanation, rejection]).toEqual([expect.stringContaining('succeeded'), null])
  expect(new Set([started_by, ended_by]).size).toBe(2)
  // Reported by a server with a slower clock.
  await stage
    .knex('logins')
    .where({ client_id })
    .update({ redeemed_at: new Date(login.at) })
  const { steps: bySeveralClocks } = await log.read(login.login_id)
  expect(bySeveralClocks.at(-1)).toMatchObject({ step: 'redeemed', after_ms: times.at(-2) })
  await passClockSteps()
  await logInAt(site, 'New user')
  const { logins } = await log.list(`client_id=${client_id}&identifier=${identifier}`)
  expect(logins.at(-1)).toMatchObject({ login_id: login.login_id })
})

test('a login that the end user denies is denied, with the error that the application received', async () => {
  const site = await registerClient()
  const browser = openBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'messaging'))
  await browser.open(await submitProviderSignIn(browser, atProvider, { decision: 'deny' }))
  await log.find(`client_id=${site.client.client_id}`, {
    result: 'denied',
    reason: 'denied_by_user',
    error: 'ACCESS_DENIED',
    identifier: null,
    provider: 'messaging',
  })
})

test('a provider that rejects our client fails the login, and the explanation says what to correct', async () => {
  const own = await seedSite(stage.serviceStack, { account: stage.site.account })
  const { site, account, site_id, providers } = own
  const { client_id } = providers.search
  const names = { site, account, site_id, provider: 'search', client_id } as const
  await stage.serviceStack.provider_auth.saveProviderSettings(
    { ...names, client_secret: 'another secret' },
    stage.serviceStack.call(),
  )
  await logInAt(own, 'taro')
  const reader = createLoginLogReader({
    request: (method, path) => stage.requestAdminApi(method, `/accounts/${account}/sites/${site_id}${path}`),
  })
  const { login_id } = await reader.find('', { result: 'failed', reason: 'provider_client', error: 'server_error' })
  expect((await reader.read(login_id)).explanation).toContain('client secret')
})

test.each([
  ['wrong_nonce', 'provider_nonce'],
  ['wrong_signature', 'provider_keys'],
  ['unavailable', 'provider_unreachable'],
  ['hang_up', 'provider_unreachable'],
] as const)('a provider with the scenario %s fails the login with %s', async (scenario, reason) => {
  const site = await registerClient()
  const user = `User of ${scenario}`
  const where = ['unavailable', 'hang_up'].includes(scenario)
    ? { provider: 'portal' }
    : { provider: 'portal', name: user }
  const browser = openBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'portal'))
  const { id } = await startScenario(stage.serviceStack.simulator, { scenario, ...where })
  await browser.open(await submitProviderSignIn(browser, atProvider, { user }))
  await fetch(`${stage.serviceStack.simulator}/scenarios/${id}`, { method: 'DELETE' })
  await log.find(`client_id=${site.client.client_id}`, { result: 'failed', reason })
})

test('a login that cannot start, because the provider is unavailable, has failed', async () => {
  const site = await registerClient()
  const { id } = await startScenario(stage.serviceStack.simulator, { scenario: 'unavailable', provider: 'microblog' })
  await openBrowser().open(buildAuthorizeUrl(site, 'microblog'))
  await fetch(`${stage.serviceStack.simulator}/scenarios/${id}`, { method: 'DELETE' })
  await log.find(`client_id=${site.client.client_id}`, {
    result: 'failed',
    reason: 'provider_unreachable',
    error: 'server_error',
    at_provider_ms: null,
  })
})

test('a rejected authorization request is in the log, with the redirect URIs', async () => {
  const site = await registerClient()
  const { client_id, redirect_uri } = site.client
  const wrong = 'https://shop.example.com/other'
  await openBrowser().open(buildAuthorizeUrl(site, 'search', { redirect_uri: wrong }))
  const { login_id } = await log.find(`client_id=${client_id}`, {
    kind: 'openid',
    result: 'rejected',
    reason: 'redirect_uri_invalid',
    provider: 'search',
    browser: 'line',
    country: 'JP',
  })
  expect(await log.read(login_id)).toMatchObject({
    started_by: login_id,
    rejection: { redirect_uri: wrong, registered_redirect_uris: [redirect_uri] },
    steps: [{ step: 'started' }, { step: 'ended' }],
  })
})

test('a login whose code is exchanged with a wrong verifier is rejected, with the rejected request', async () => {
  const site = await registerClient()
  const challenge = 'x'.repeat(43)
  const callback = await logInAt(site, 'taro', { code_challenge: challenge, code_challenge_method: 'plain' })
  const wrong = { code_verifier: 'y'.repeat(43) }
  await expect(applicationOf(stage.serviceStack, site).redeem(callback, wrong)).rejects.toThrow('400')
  const query = `client_id=${site.client.client_id}`
  const { login_id } = await log.find(query, { result: 'rejected', reason: 'code_verifier_wrong', kind: 'openid' })
  expect(await log.read(login_id)).toMatchObject({
    steps: expect.arrayContaining([expect.objectContaining({ step: 'redemption_rejected' })]),
    rejection: { endpoint: 'token', reason: 'code_verifier_wrong' },
  })
})

test('a wrong client secret is in the log, and the login says after a minute that its code was not exchanged', async () => {
  const site = await registerClient()
  const { client_id } = site.client
  const callback = await logInAt(site, 'taro')
  const wrong = { client_secret: 'wrong-s3cret' }
  await expect(applicationOf(stage.serviceStack, site).redeem(callback, wrong)).rejects.toThrow('401')
  await log.find(`client_id=${client_id}&result=rejected`, { kind: 'token', reason: 'client_secret_wrong' })
  await log.find(`client_id=${client_id}&result=completed`, { reason: 'succeeded' })
  await stage
    .knex('logins')
    .where({ client_id })
    .update({ ended_at: new Date(Date.now() - 120_000) })
  await log.find(`client_id=${client_id}&reason=code_not_redeemed`, { result: 'completed' })
})

test('a login whose browser does not come back is waiting, and abandoned after ten minutes', async () => {
  const site = await registerClient()
  const { client_id } = site.client
  await openBrowser().open(buildAuthorizeUrl(site, 'search'))
  await log.find(`client_id=${client_id}&result=waiting`, { reason: 'not_returned_yet', ended_at: null })
  const at = new Date(Date.now() - limits.pending_login_seconds * 1_000 - 60_000)
  await stage.knex('logins').where({ client_id }).update({ at })
  await log.find(`client_id=${client_id}&result=abandoned`, { reason: 'not_returned', ended_at: null })
})

test('a browser that comes back too late, or is another one, rejects the login', async () => {
  const [late, other] = [await registerClient(), await registerClient()]
  const signIn = async (site: typeof stage.site) => {
    const browser = openBrowser()
    const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'search'))
    return { browser, callback: await submitProviderSignIn(browser, atProvider) }
  }
  const { callback } = await signIn(other)
  await openBrowser().open(callback)
  await log.find(`client_id=${other.client.client_id}`, {
    result: 'rejected',
    reason: 'other_browser',
    browser: 'line',
  })
  const started = await signIn(late)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  try {
    await started.browser.open(started.callback)
  } finally {
    vi.useRealTimers()
  }
  await log.find(`client_id=${late.client.client_id}`, { result: 'rejected', reason: 'login_expired', error: null })
})

test('another user than that of id_token_hint rejects the login', async () => {
  const site = await registerClient()
  const { redeem } = applicationOf(stage.serviceStack, site)
  const { id_token } = await redeem(await logInAt(site, 'taro'))
  await logInAt(site, 'hanako', { id_token_hint: id_token })
  const query = `client_id=${site.client.client_id}&result=rejected`
  await log.find(query, { reason: 'user_mismatch', error: 'login_required', identifier: null })
})

test('an address that starts too many logins is rejected', async () => {
  const site = await registerClient()
  const from = { 'x-forwarded-for': '192.0.2.88' }
  const start = () => openTestBrowser(from).open(buildAuthorizeUrl(site, 'search'))
  const responses = await Promise.all(Array.from({ length: 61 }, start))
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(1)
  await log.find(`client_id=${site.client.client_id}&result=rejected`, { reason: 'too_many_logins', country: 'JP' })
})

test('an outage of this service fails the login', async () => {
  const site = await registerClient()
  const browser = openBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'search'))
  const callback = await submitProviderSignIn(browser, atProvider)
  {
    await using _ = await stage.serviceStack.stopService('identity')
    await browser.open(callback)
  }
  await log.find(`client_id=${site.client.client_id}`, { result: 'failed', reason: 'service_unavailable' })
})

test('the log contains no address, User-Agent, state, nonce, code or token', async () => {
  const site = await registerClient()
  const secrets = { state: 's3cret-state', nonce: 's3cret-nonce' }
  const callback = await logInAt(site, 'taro', secrets)
  const { access_token, id_token } = await applicationOf(stage.serviceStack, site).redeem(callback)
  await log.find(`client_id=${site.client.client_id}`, { result: 'completed' })
  const rows = JSON.stringify([await stage.knex('logins'), await stage.knex('rejections')])
  const code = callback.searchParams.get('code') ?? ''
  for (const secret of [address, 'Android', 'Line/', ...Object.values(secrets), code, access_token, id_token])
    expect(rows).not.toContain(secret)
})

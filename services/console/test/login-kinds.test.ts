import { expect, test } from 'vitest'
import { passClockSteps } from '#testing'
import { createAccountSteps } from '../../provider-auth/test/account-steps.ts'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  fetchOneTimeToken,
  getLocation,
  logIn,
  openTestBrowser,
  submitLinkDecision,
  submitProviderSignIn,
} from '../../provider-auth/test/browser.ts'
import { createLinkSteps } from '../../provider-auth/test/link-steps.ts'
import { createNativeApp } from '../../provider-auth/test/native-app.ts'
import { startScenario } from '../../provider-simulator/test/scenario-api.ts'
import { createLoginLogReader } from './login-log-reader.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const log = createLoginLogReader(stage)
const { addressFor, newUser, link } = createLinkSteps(() => stage)

/** The user of a one-time token. */
const userOf = async (token: string) => {
  const { serviceStack, site } = stage
  const { identifier } = await serviceStack.provider_auth.redeemOneTimeToken(
    { site: site.site, token },
    serviceStack.call(),
  )
  return identifier
}

test('a site login is in the log, with the client of its callback', async () => {
  const { serviceStack, site } = stage
  const token = await fetchOneTimeToken(serviceStack, site, { provider: 'social', user: 'Site user' })
  await log.find(`identifier=${await userOf(token)}`, {
    kind: 'site',
    result: 'completed',
    reason: 'succeeded',
    provider: 'social',
    client_id: site.client.client_id,
  })
})

test('a site login with a wrong callback is rejected', async () => {
  const { serviceStack, site } = stage
  const callback = 'https://elsewhere.example/'
  await openTestBrowser().open(buildAuthenticateUrl(serviceStack, site, 'device', { callback }))
  await log.find('reason=callback_invalid', { kind: 'site', result: 'rejected', provider: 'device', client_id: null })
})

test('a link is in the log with its user, also one that the end user cancels on our page', async () => {
  const identifier = await newUser()
  expect(await link(await addressFor(identifier))).toMatchObject({ status: 'authorized' })
  await log.find(`identifier=${identifier}&provider=search`, { kind: 'link', result: 'completed', is_new_user: false })

  const other = await newUser()
  await submitLinkDecision(openTestBrowser(), await addressFor(other), 'cancel')
  await log.find(`identifier=${other}&provider=search`, { kind: 'link', result: 'denied', reason: 'denied_by_user' })
})

test('a link of an account of another user is rejected, and so is one with an invalid association token', async () => {
  const account = { user: 'Account of two users' }
  await link(await addressFor(await newUser(), 'portal'), account)
  await link(await addressFor(await newUser(), 'portal'), account)
  await log.find('reason=account_of_another_user&provider=portal', {
    kind: 'link',
    result: 'rejected',
    error: 'linked_to_another_user',
  })

  const address = new URL(await addressFor(await newUser(), 'portal'))
  address.searchParams.set('token', 'made-up')
  await openTestBrowser().open(address.href)
  await log.find('reason=sent_to_application&provider=portal', { kind: 'link', error: 'token_invalid' })
})

test('a login of existing users only is rejected for an unknown account', async () => {
  const address = buildAuthenticateUrl(stage.serviceStack, stage.site, 'microblog').replace(
    '/authenticate',
    '/authenticate/login',
  )
  await logIn(openTestBrowser(), address, { user: 'Unknown' })
  await log.find('reason=user_not_found&provider=microblog', {
    kind: 'site',
    result: 'rejected',
    error: 'user_not_found',
  })
})

test('logins of native apps are in the log: completed, failed at the provider, and rejected', async () => {
  const { serviceStack, site } = stage
  const app = createNativeApp(serviceStack, site)
  for (const provider of ['search', 'messaging'] as const) {
    await app.register(provider, `app-of-${site.site_id}-${provider}`)
    await app.allowApps(provider)
  }
  const { id_token } = await app.logInBySdk('search', { user: 'App user' })
  const identifier = await app.redeem(await app.fetchToken('search', { id_token }))
  const query = `identifier=${identifier}`
  const login = await log.find(query, { kind: 'native', result: 'completed', client_id: null, browser: null })
  expect((await log.read(login.login_id)).steps.map(({ step }) => step)).toEqual([
    'started',
    'provider_requests',
    'recorded',
    'ended',
  ])

  await app.inject('search', { id_token })
  await log.find('reason=native_login_rejected&provider=search', {
    kind: 'native',
    result: 'rejected',
    provider: 'search',
  })

  const { access_token } = await app.logInBySdk('messaging', { user: 'App user' })
  const { id } = await startScenario(serviceStack.simulator, { scenario: 'unavailable', provider: 'messaging' })
  await app.inject('messaging', { access_token })
  await fetch(`${serviceStack.simulator}/scenarios/${id}`, { method: 'DELETE' })
  await log.find('reason=provider_unreachable', { kind: 'native', result: 'failed', error: 'temporarily_unavailable' })
})

test('a token exchange is in the log, with its client', async () => {
  const { serviceStack, site } = stage
  const { client_id } = await serviceStack.provider_auth.registerClient(
    { site: site.site, name: 'app', kind: 'public', redirect_uris: ['https://app.example.com/'], token_exchange: true },
    serviceStack.call(),
  )
  const app = createNativeApp(serviceStack, site)
  await app.register('portal', `app-of-${site.site_id}-portal`)
  await app.allowApps('portal')
  const { id_token } = await app.logInBySdk('portal', { user: 'Exchanging user' })
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id,
    subject_token: id_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_issuer: 'portal',
  }
  const exchange = () => fetch(`${serviceStack.auth}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  expect((await exchange()).status).toBe(200)
  await log.find(`client_id=${client_id}`, { kind: 'native', result: 'completed', provider: 'portal' })
  expect((await exchange()).status).toBe(400)
  await log.find(`client_id=${client_id}&result=rejected`, { kind: 'native', reason: 'native_login_rejected' })
})

test('a test login of an administrator is marked', async () => {
  const { serviceStack, site } = stage
  const { state } = await serviceStack.provider_auth.beginTestLogin(
    { site: site.site, provider: 'social', by: 'member' },
    serviceStack.call(),
  )
  const browser = openTestBrowser()
  const atProvider = getLocation(await browser.open(buildAuthorizeUrl(site, 'social', { state })))
  await browser.open(await submitProviderSignIn(browser, atProvider, { decision: 'deny' }))
  await log.find('result=denied&provider=social', { is_test: true, kind: 'openid' })
})

test('logins of the account page are in the log without a client, and added accounts as links', async () => {
  const { serviceStack, site } = stage
  const { provider_auth, call } = serviceStack
  const names = { site: site.site, account: site.account, site_id: site.site_id }
  await provider_auth.changeAccountPage({ ...names, enabled: true, expected_revision: 0 }, call())
  const identifier = await userOf(await fetchOneTimeToken(serviceStack, site, { user: 'Account user' }))
  const steps = createAccountSteps(() => stage)
  const browser = steps.newBrowser()
  await passClockSteps()
  await steps.logIn(browser, 'Account user', { provider: 'messaging' })
  await steps.logIn(openTestBrowser(), 'Account without a user', { provider: 'device' })
  await log.find('reason=user_not_found&provider=device', { kind: 'account', result: 'rejected' })

  await passClockSteps()
  const added = await steps.post(browser, await steps.read(browser, '/add'), '/add', { provider: 'search' })
  const callback = await submitProviderSignIn(browser, getLocation(added), { user: 'Added account' })
  await browser.open(callback)
  const listOwn = async () => (await log.list(`identifier=${identifier}`)).logins
  await expect.poll(async () => (await listOwn()).map(({ kind }) => kind)).toEqual(['link', 'account', 'site'])
  const ofPage = { client_id: null, browser: 'firefox', result: 'completed', is_new_user: false }
  expect(await listOwn()).toMatchObject([ofPage, ofPage, { client_id: site.client.client_id }])
})

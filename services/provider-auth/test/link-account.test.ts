import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readLinkData } from '#testing'
import {
  fetchOneTimeToken,
  getLocation,
  logInWith,
  openRedirect,
  openTestBrowser,
  type ProviderName,
  submitLinkDecision,
  submitProviderSignIn,
} from './browser.ts'
import { createLinkSteps, failedParameters } from './link-steps.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()
const { newAccount, newUser, addressFor, link, read, open, linksOf } = createLinkSteps(() => ({ serviceStack, site }))

const call = () => serviceStack.call()

describe('linking', () => {
  test('302 with a one-time token of the same user: linked, credentials and profile stored, and no login is recorded', async () => {
    const identifier = await newUser()
    const { token = '', ...rest } = await link(await addressFor(identifier), { user: 'Grace Hopper' })
    expect(rest).toEqual({ status: 'authorized', state: 'state-of-the-application' })
    const redeemed = await serviceStack.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    expect(redeemed).toMatchObject({ identifier })
    const user = { site: site.site, identifier }
    expect(await linksOf(identifier)).toEqual(['messaging', 'search'])
    expect((await serviceStack.identity.resolveUser(user, call())).user).toMatchObject({
      login_count: 1,
      last_logged_in_provider: 'messaging',
    })
    const { credentials } = await readLinkData(serviceStack, user)
    expect(Object.keys(credentials).sort()).toEqual(['messaging', 'search'])
    const { profile } = await serviceStack.profile.readProfile(user, call())
    expect(profile).toMatchObject({ full_name: 'Grace Hopper', user_name: expect.stringContaining('Person') })
  })

  test('of messaging stores the friend status', async () => {
    const token = await fetchOneTimeToken(serviceStack, site, { provider: 'search', user: `Person ${randomUUID()}` })
    const { identifier } = await serviceStack.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    expect(await link(await addressFor(identifier, 'messaging'))).toMatchObject({ status: 'authorized' })
    const { friend } = await readLinkData(serviceStack, { site: site.site, identifier })
    expect(friend?.friendship_status).toBe(false)
  })

  test('a later login with the linked account is the same user', async () => {
    const identifier = await newUser()
    await link(await addressFor(identifier), { user: 'Linked Later' })
    const token = await fetchOneTimeToken(serviceStack, site, { provider: 'search', user: 'Linked Later' })
    const response = await serviceStack.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    expect(response).toMatchObject({ identifier })
  })

  test('302 linked_to_another_user: the account stays linked, and nothing is stored', async () => {
    const token = await fetchOneTimeToken(serviceStack, site, { provider: 'search', user: 'Taken' })
    const owner = await serviceStack.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    const identifier = await newUser()
    expect(await link(await addressFor(identifier), { user: 'Taken' })).toEqual(
      failedParameters('linked_to_another_user'),
    )
    expect(await linksOf(identifier)).toEqual(['messaging'])
    expect(await linksOf(owner.identifier)).toEqual(['search'])
    const { credentials } = await readLinkData(serviceStack, { site: site.site, identifier })
    expect(Object.keys(credentials)).toEqual(['messaging'])
  })

  test('302 already_linked before the end user is redirected to the provider', async () => {
    const identifier = await newUser()
    expect(await open(await addressFor(identifier, 'messaging'))).toEqual(failedParameters('already_linked'))
  })

  test('302 already_linked if another account was linked while the end user was at the provider', async () => {
    const identifier = await newUser()
    const browser = openTestBrowser()
    const atProvider = getLocation(await submitLinkDecision(browser, await addressFor(identifier)))
    const account = {
      site: site.site,
      identifier,
      provider: 'search',
      provider_user_id: `other-${randomUUID()}`,
    } as const
    await serviceStack.identity.linkAccount(account, call())
    const callback = await submitProviderSignIn(browser, atProvider, newAccount())
    expect(read(await browser.open(callback))).toEqual(failedParameters('already_linked'))
  })

  test.each<[ProviderName, string]>([
    ['messaging', 'ACCESS_DENIED'],
    ['search', 'access_denied'],
    ['device', 'user_cancelled_authorize'],
    ['microblog', 'access_denied'],
  ])('302 with the provider’s error of %s if the end user denies', async (provider, reason) => {
    const other = provider === 'search' ? 'messaging' : 'search'
    const token = await fetchOneTimeToken(serviceStack, site, { provider: other, user: `Person ${randomUUID()}` })
    const { identifier } = await serviceStack.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    expect(await link(await addressFor(identifier, provider), { decision: 'deny' })).toEqual(failedParameters(reason))
    expect(await linksOf(identifier)).toEqual([other])
  })

  test('302 authorized at a second attempt in the same browser, after a denial at the provider', async () => {
    const browser = openTestBrowser()
    const address = await addressFor(await newUser())
    expect(await link(address, { decision: 'deny' }, browser)).toEqual(failedParameters('access_denied'))
    expect(await link(address, newAccount(), browser)).toMatchObject({ status: 'authorized' })
  })
})

test('a link and a login can be in progress in one browser', async () => {
  const browser = openTestBrowser()
  const identifier = await newUser()
  const atProvider = getLocation(await submitLinkDecision(browser, await addressFor(identifier)))
  const login = await logInWith(site, 'search', { ...newAccount(), browser })
  expect(login.searchParams.has('code')).toBe(true)
  const callback = await submitProviderSignIn(browser, atProvider, newAccount())
  expect(new URL(await openRedirect(browser, callback)).searchParams.get('status')).toBe('authorized')
})

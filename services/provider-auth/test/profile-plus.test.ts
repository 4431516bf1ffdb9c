import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { seedSite } from '#testing'
import { applicationOf } from './application.ts'
import { approveProfilePlus } from './approve-profile-plus.ts'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  hiddenFields,
  logIn,
  logInWith,
  openRedirect,
  openTestBrowser,
} from './browser.ts'
import { createLinkSteps } from './link-steps.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()
beforeAll(async () => {
  await approveProfilePlus(serviceStack, site)
})

const user = '山田 花子'
const kana = expect.stringMatching(/^[ァ-ヶー]+$/)
const fullKana = expect.stringMatching(/^[ァ-ヶー]+ [ァ-ヶー]+$/)

/** The scopes that a login requests of the provider. */
async function requestedScopes(address: string): Promise<string | null> {
  return new URL(await openRedirect(openTestBrowser(), address)).searchParams.get('scope')
}

const authorizeWith = (scope: string, changes: Record<string, string> = {}, at = site) =>
  buildAuthorizeUrl(at, 'messaging', { scope, ...changes })
const authenticateWith = (extendedItems: string | undefined, at = site) =>
  buildAuthenticateUrl(serviceStack, at, 'messaging', { extended_items: extendedItems })

/** Logs in with a code; returns the user's identifier and userinfo. */
async function logInWithScope(scope: string, at = site, name = user) {
  const callback = await logIn(openTestBrowser(), authorizeWith(scope, {}, at), { user: name })
  const application = applicationOf(serviceStack, at)
  const { access_token } = await application.redeem(callback)
  const userinfo = await application.userinfo(access_token)
  return { userinfo, identifier: z.string().parse(userinfo.sub) }
}

async function readWebApi(operation: string, identifier: string, changes: Record<string, string> = {}, at = site) {
  const query = new URLSearchParams({ key: at.api_key, identifier, ...changes })
  const response = await fetch(`${serviceStack.web_api}/${operation}?${query}`)
  return z.looseObject({}).parse(await response.json())
}

const readProfile = (identifier: string, at = site) => readWebApi('profile', identifier, {}, at)

describe('the provider’s authorization URL', () => {
  test.each([
    ['openid', 'openid profile'],
    ['openid profile', 'openid profile real_name gender birthdate'],
    ['openid phone', 'openid profile phone'],
    ['openid email address', 'openid profile email address'],
  ])('requests for %s the scopes %s', async (scope, expected) => {
    expect(await requestedScopes(authorizeWith(scope))).toBe(expected)
  })

  test('requests only permissions that the settings list, because the provider rejects others', async () => {
    const shop = await seedSite(serviceStack)
    expect(await requestedScopes(authorizeWith('openid profile phone', {}, shop))).toBe('openid profile')
    await approveProfilePlus(serviceStack, shop, ['phone', 'birthdate'])
    expect(await requestedScopes(authorizeWith('openid profile phone', {}, shop))).toBe(
      'openid profile birthdate phone',
    )
  })

  test.each([
    [undefined, ''],
    ['', ''],
    ['real_name', ' real_name'],
    ['email,phone,real_name,gender,birthdate,address', ' real_name gender birthdate phone address'],
    ['phone,phone,unknown', ' phone'],
  ])('of a login with a one-time token and extended_items=%s', async (items, expected) => {
    expect(await requestedScopes(authenticateWith(items))).toBe(`openid profile email${expected}`)
  })
})

test('userinfo has name, kana, gender, birthday, address and phone number, each under its scope', async () => {
  const { userinfo } = await logInWithScope('openid profile email address phone')
  expect(userinfo).toMatchObject({
    name: '山田 花子',
    given_name: '花子',
    family_name: '山田',
    nickname: user,
    'name#ja-Kana-JP': fullKana,
    'given_name#ja-Kana-JP': kana,
    'family_name#ja-Kana-JP': kana,
    gender: expect.any(String),
    birthdate: expect.stringMatching(/^19\d\d-\d\d-\d\d$/),
    address: { region: expect.any(String), locality: expect.any(String) },
    phone_number: expect.stringMatching(/^\+8190\d{8}$/),
    phone_number_verified: false,
  })
  const { userinfo: onlyPhone } = await logInWithScope('openid phone')
  expect(Object.keys(onlyPhone).sort()).toEqual([
    'phone_number',
    'phone_number_verified',
    'provider',
    'provider_uid',
    'sub',
  ])
})

test('an ID Token of the id_token flow contains the same claims', async () => {
  const address = authorizeWith('openid profile phone', { response_type: 'id_token', nonce: 'n-1' })
  const callback = await logIn(openTestBrowser(), address, { user })
  const idToken = new URLSearchParams(callback.hash.slice(1)).get('id_token') ?? ''
  expect(decodeJwt(idToken)).toMatchObject({
    name: '山田 花子',
    'family_name#ja-Kana-JP': kana,
    phone_number: expect.any(String),
  })
})

describe('the stored profile', () => {
  test('has the fields of the specification', async () => {
    const { identifier } = await logInWithScope('openid profile email address phone')
    const { profile, phone } = await readProfile(identifier)
    expect(profile).toMatchObject({
      full_name: '山田 花子',
      first_name: '花子',
      last_name: '山田',
      user_name: user,
      full_name_kana: fullKana,
      first_name_kana: kana,
      last_name_kana: kana,
      gender: expect.any(Number),
      birthday: expect.stringMatching(/^19\d\d-\d\d-\d\d$/),
      prefecture: expect.any(String),
      city: expect.any(String),
    })
    const number = expect.stringMatching(/^\+8190\d{8}$/)
    expect(phone).toEqual([{ number, verified: false, type: 'phone', media_id: 'messaging' }])
    const ofProvider = await readWebApi('profile_from_providers', identifier, { target_provider: 'messaging' })
    expect(ofProvider.messaging).toMatchObject({ profile: { first_name_kana: kana }, phone: [{ number }] })
  })

  test('keeps what a later login does not request, also because the settings no longer list it', async () => {
    const name = 'Hanako Keeps'
    const { identifier } = await logInWithScope('openid profile address phone', site, name)
    const before = await readProfile(identifier)
    await logInWithScope('openid', site, name)
    expect(await readProfile(identifier)).toMatchObject({ phone: before.phone })
    await approveProfilePlus(serviceStack, site, ['real_name'])
    await logInWithScope('openid profile address phone', site, name)
    await approveProfilePlus(serviceStack, site)
    const { profile, phone } = await readProfile(identifier)
    expect(phone).toEqual(before.phone)
    expect(profile).toMatchObject({ birthday: expect.any(String), city: expect.any(String) })
  })

  test('omits the fields that the site excludes', async () => {
    const shop = await seedSite(serviceStack)
    await approveProfilePlus(serviceStack, shop)
    await serviceStack.identity.changeSite(
      { site: shop.site, profile_not_stored: { messaging: ['first_name_kana', 'phone', 'birthday'] } },
      serviceStack.call(),
    )
    const { identifier, userinfo } = await logInWithScope('openid profile phone', shop)
    // The application requested it for itself.
    expect(userinfo).toMatchObject({ phone_number: expect.any(String) })
    const { profile, phone } = await readProfile(identifier, shop)
    expect(profile).toMatchObject({ first_name: '花子', first_name_kana: null, birthday: null, last_name_kana: kana })
    expect(phone).toEqual([])
  })

  test('has the items that extended_items of a login with a one-time token named', async () => {
    const callback = await logIn(openTestBrowser(), authenticateWith('phone,birthdate'), { user: 'One Time' })
    const token = callback.searchParams.get('token') ?? ''
    const query = new URLSearchParams({ key: site.api_key, token, add_profile: 'true' })
    const response = await fetch(`${serviceStack.web_api}/authenticated_user?${query}`)
    expect(await response.json()).toMatchObject({
      profile: { user_name: 'One Time', birthday: expect.any(String), full_name: null, city: null },
      phone: [{ number: expect.any(String) }],
    })
  })

  test('has the items that extended_items of a link named', async () => {
    const { newAccount, issue } = createLinkSteps(() => ({ serviceStack, site }))
    const callback = await logInWith(site, 'search', newAccount())
    const identifier = await application.userOf(callback)
    const browser = openTestBrowser()
    const { redirect_uri } = site.client
    const address = new URL(await issue(identifier, 'messaging'))
    for (const [name, value] of Object.entries({ callback: redirect_uri, extended_items: 'phone,unknown' }))
      address.searchParams.set(name, value)
    const fields = hiddenFields(await (await browser.open(address.href)).text())
    expect(fields).toMatchObject({ extended_items: 'phone' })
    const form = { ...fields, decision: 'link' }
    const linking = await browser.open(`${address.origin}${address.pathname}`, form)
    expect(new URL(linking.headers.get('location') ?? '').searchParams.get('scope')).toBe('openid profile email phone')
  })
})

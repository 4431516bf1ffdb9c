import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { inspectRedis, openForTest, seedSite } from '#testing'
import {
  buildAuthorizeUrl,
  type Field,
  findSelfPostingForm,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitProviderForm,
  type TestBrowser,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()

let userCount = 0

/** Starts a login and signs in at the provider; returns the form that the browser would post. */
async function signInAtProvider(changes: Record<string, string> = {}) {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'device', changes))
  const page = await submitProviderForm(browser, atProvider, { user: `Person ${++userCount}` })
  const form = findSelfPostingForm(await page.text())
  if (form === undefined) throw new Error('The provider has the browser post a form.')
  return { browser, at_provider: new URL(atProvider), ...form }
}

type SignedIn = Awaited<ReturnType<typeof signInAtProvider>>

const changed = (fields: readonly Field[], name: string, value: string): Field[] => [
  ...fields.filter(([field]) => field !== name),
  [name, value],
]

/** Posts the form and opens the URL to which it redirects. */
async function submitForm({
  browser,
  action,
  fields,
}: Pick<SignedIn, 'browser' | 'action' | 'fields'>): Promise<Response> {
  const posted = await browser.postCrossSite(action, fields)
  expect(posted.status).toBe(303)
  return browser.open(posted.headers.get('location') ?? '')
}

async function expectPage(response: Response, message: string): Promise<void> {
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()
  expect(await response.text()).toContain(message)
}

const ended = 'The login was already completed, or it took too long.'
const elsewhere = 'The login was started in another browser, it has expired, or this browser blocks cookies.'
const otherProvider = 'The login was started with another login provider.'

async function countLogins(): Promise<number> {
  await using identity = openForTest(serviceStack.database_urls.identity)
  const [row] = await identity.knex('login_history').count<{ count: number }[]>()
  return Number(row?.count)
}

describe('a form_post response of the provider', () => {
  test('redirects to the same URL by GET, without the code, so that the browser sends its cookies', async () => {
    const { browser, action, fields } = await signInAtProvider()
    expect(action).toBe(site.providers.device.provider_callback)
    const posted = await browser.postCrossSite(action, fields)
    expect(posted.status).toBe(303)
    expect(posted.headers.getSetCookie()).toEqual([])
    expect(posted.headers.get('cache-control')).toBe('no-store')
    const state = new Map(fields).get('state')
    const location = new URL(posted.headers.get('location') ?? '')
    expect(location.origin + location.pathname).toBe(action)
    expect([...location.searchParams.keys()]).toEqual(['state', 'returned'])
    expect(location.searchParams.get('state')).toBe(state)
    const callback = await browser.open(posted.headers.get('location') ?? '')
    expect(callback.status).toBe(302)
    expect(new URL(callback.headers.get('location') ?? '').searchParams.has('code')).toBe(true)
  })

  test('can be posted twice, as by a double click, and logs in once', async () => {
    const login = await signInAtProvider()
    const before = await countLogins()
    const [one, two] = await Promise.all([1, 2].map(() => login.browser.postCrossSite(login.action, login.fields)))
    expect([one?.status, two?.status]).toEqual([303, 303])
    const first = await openRedirect(login.browser, one?.headers.get('location') ?? '')
    expect(await openRedirect(login.browser, two?.headers.get('location') ?? '')).toBe(first)
    expect(await countLogins()).toBe(before + 1)
  })

  test('is passed on encrypted: the URL reveals neither code nor name, and nothing is stored', async () => {
    const { browser, action, fields } = await signInAtProvider()
    using redis = await inspectRedis(serviceStack.redis.url)
    const before = (await redis.listKeys()).length
    const posted = await browser.postCrossSite(action, fields)
    expect(await redis.listKeys()).toHaveLength(before)
    const location = posted.headers.get('location') ?? ''
    const returned = new URL(location).searchParams.get('returned') ?? ''
    const { code = '' } = Object.fromEntries(fields)
    for (const secret of [code, `Person ${userCount}`, 'firstName'])
      expect(location + Buffer.from(returned, 'base64url').toString('latin1')).not.toContain(secret)
    expect((await browser.open(location)).status).toBe(302)
  })

  test('encrypted for one login is not accepted in another', async () => {
    const [one, other] = [await signInAtProvider(), await signInAtProvider()]
    const encrypted = async ({ browser, action, fields }: SignedIn) => {
      const posted = await browser.postCrossSite(action, fields)
      return new URL(posted.headers.get('location') ?? '')
    }
    const [ofOne, ofOther] = [await encrypted(one), await encrypted(other)]
    ofOther.searchParams.set('returned', ofOne.searchParams.get('returned') ?? '')
    const location = new URL(await openRedirect(other.browser, ofOther.href))
    expect(location.searchParams.get('error')).toBe('server_error')
  })

  test('with a denial redirects to the application with the provider’s error', async () => {
    const browser = openTestBrowser()
    const callback = await logInWith(site, 'device', { browser, decision: 'deny' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      error: 'user_cancelled_authorize',
      state: 'state-of-the-application',
      iss: serviceStack.auth,
    })
  })
})

describe('400 page and no login', () => {
  test.each<[string, (cookies: TestBrowser['cookies']) => void]>([
    ['another browser', (cookies) => cookies.clear()],
    [
      'a browser with cookies of a login of its own',
      (cookies) => {
        for (const name of cookies.keys()) cookies.set(name, randomUUID())
      },
    ],
  ])('for a form posted by %s, and for its own browser afterwards', async (_, change) => {
    const login = await signInAtProvider()
    const { browser: other } = await signInAtProvider()
    change(other.cookies)
    const before = await countLogins()
    await expectPage(await submitForm({ ...login, browser: other }), elsewhere)
    await expectPage(await submitForm(login), ended)
    expect(await countLogins()).toBe(before)
  })

  test('for a code of another end user posted into a login, because it was not issued for it', async () => {
    const [attacker, victim] = [await signInAtProvider(), await signInAtProvider()]
    const code = new Map(attacker.fields).get('code') ?? ''
    const before = await countLogins()
    const response = await submitForm({ ...victim, fields: changed(victim.fields, 'code', code) })
    expect(new URL(response.headers.get('location') ?? '').searchParams.get('error')).toBe('server_error')
    expect(await countLogins()).toBe(before)
  })

  test.each<[string, Field[]]>([
    ['nothing', []],
    ['only a code', [['code', 'x']]],
    [
      'a state that came twice',
      [
        ['state', 'a'],
        ['state', 'a'],
      ],
    ],
  ])('for a form with %s', async (_, fields) => {
    await expectPage(await openTestBrowser().postCrossSite(site.providers.device.provider_callback, fields), ended)
  })

  test('for a form with a state that is not a login of this browser', async () => {
    const fields: Field[] = [['state', 'f'.repeat(32)]]
    const { provider_callback } = site.providers.device
    await expectPage(await submitForm({ browser: openTestBrowser(), action: provider_callback, fields }), elsewhere)
  })

  test.each([
    ['text/plain', 'state=x'],
    ['application/json', '{"state":"x"}'],
    ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="state"\r\n\r\nx\r\n--b--\r\n'],
    ['application/x-www-form-urlencoded', `user=${'x'.repeat(16_384)}`],
    ['application/x-www-form-urlencoded', `state=x&user=${'x'.repeat(4_096)}`],
    ['application/x-www-form-urlencoded', 'a&'.repeat(65)],
    ['application/x-www-form-urlencoded', 'state=%ff'],
  ])('for a body that is too long or not a form: %s', async (type, body) => {
    const { at_provider, browser, action, fields } = await signInAtProvider()
    const address = `${action}?state=${at_provider.searchParams.get('state')}`
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      redirect: 'manual',
    })
    await expectPage(response, 'The parameters cannot be read')
    expect((await submitForm({ browser, action, fields })).status).toBe(302)
  })

  test('for a body that never ends, soon after it is too long', async () => {
    const posted = request(site.providers.device.provider_callback, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
    })
    posted.on('error', () => {})
    const status = new Promise<number | undefined>((resolve) =>
      posted.on('response', (response) => resolve(response.statusCode)),
    )
    posted.write('x'.repeat(20_000))
    expect(await status).toBe(400)
    posted.destroy()
  })

  test('for a form posted to the callback of another site’s settings', async () => {
    const other = await seedSite(serviceStack)
    const login = await signInAtProvider()
    await expectPage(await submitForm({ ...login, action: other.providers.device.provider_callback }), otherProvider)
  })

  test('for the form of a login that was started with another provider', async () => {
    const browser = openTestBrowser()
    const state =
      new URL(await openRedirect(browser, buildAuthorizeUrl(site, 'search'))).searchParams.get('state') ?? ''
    const action = site.providers.device.provider_callback
    await expectPage(
      await submitForm({
        browser,
        action,
        fields: [
          ['state', state],
          ['error', 'access_denied'],
        ],
      }),
      otherProvider,
    )
  })
})

describe('a callback that differs from the posted form', () => {
  test('a GET callback of a provider that uses form_post is rejected: server_error, and the login ends', async () => {
    const { browser, action, fields } = await signInAtProvider()
    const before = await countLogins()
    const query = new URLSearchParams(fields.map(([...pair]) => pair))
    const location = new URL(await openRedirect(browser, `${action}?${query}`))
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      error: 'server_error',
      state: 'state-of-the-application',
    })
    expect((await submitForm({ browser, action, fields })).headers.get('location')).toBe(location.href)
    expect(await countLogins()).toBe(before)
  })

  test('parameters in the URL other than the state are ignored', async () => {
    const { browser, action, fields } = await signInAtProvider()
    const posted = await browser.postCrossSite(action, fields)
    const location = await openRedirect(browser, `${posted.headers.get('location')}&error=access_denied&code=x`)
    expect(new URL(location).searchParams.has('code')).toBe(true)
  })

  test.each(['messaging', 'portal', 'search'] as const)(
    '405 for a form posted to the callback of %s',
    async (provider) => {
      const response = await openTestBrowser().postCrossSite(site.providers[provider].provider_callback, [
        ['state', 'x'],
      ])
      expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow: 'GET' })
    },
  )

  test.each(['HEAD', 'PUT', 'DELETE'])('405 for %s', async (method) => {
    const response = await fetch(site.providers.device.provider_callback, { method })
    expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, POST',
    })
  })
})

describe('the name', () => {
  const profileOf = async (identifier: string) =>
    serviceStack.profile.readProfile({ site: site.site, identifier }, serviceStack.call())

  test('sent once stays if later logins send none', async () => {
    const login = () => logInWith(site, 'device', { user: 'Grace Hopper' })
    const claims = await Promise.all(
      [await login(), await login()].map(async (callback) => application.redeem(callback)),
    )
    const received = await Promise.all(claims.map(({ access_token }) => application.userinfo(access_token)))
    expect(received.map(({ name }) => name)).toEqual(['Grace Hopper', undefined])
    const { profile, email } = await profileOf(String(received[1]?.sub))
    expect(profile).toMatchObject({
      full_name: 'Grace Hopper',
      first_name: 'Grace',
      last_name: 'Hopper',
      update_count: 2,
    })
    expect(email).toEqual([expect.objectContaining({ verified: true, media_id: 'device' })])
  })

  test('and the address stay after a login of an application that requests neither', async () => {
    const login = (scope: string) => logInWith(site, 'device', { user: 'Requested Less', parameters: { scope } })
    const identifier = await application.userOf(await login('openid profile email'))
    await login('openid')
    const { profile, email } = await profileOf(identifier)
    expect(profile.full_name).toBe('Requested Less')
    expect(email).toHaveLength(1)
  })

  test('changed in the browser changes only the name: user and address come from the provider', async () => {
    const login = await signInAtProvider()
    const user = JSON.stringify({ sub: 'victim', email: 'victim@bank.example', name: { firstName: 'Mallory' } })
    const response = await submitForm({ ...login, fields: changed(login.fields, 'user', user) })
    const { access_token } = await application.redeem(new URL(response.headers.get('location') ?? ''))
    expect(await application.userinfo(access_token)).toMatchObject({
      provider_uid: expect.stringMatching(/^\d{6}\.[0-9a-f]{32}\.\d{4}$/),
      name: 'Mallory',
      email: expect.stringMatching(/@device\.example$/),
      email_verified: true,
    })
  })
})

test('the request to the provider has response_mode form_post and a nonce, but no challenge, because the provider would not verify it', async () => {
  const { at_provider } = await signInAtProvider({ scope: 'openid', prompt: 'login', max_age: '0' })
  expect(Object.fromEntries(at_provider.searchParams)).toEqual({
    response_type: 'code',
    response_mode: 'form_post',
    client_id: site.providers.device.client_id,
    redirect_uri: site.providers.device.provider_callback,
    scope: 'openid',
    state: expect.stringMatching(/^[0-9a-f]{32}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
})

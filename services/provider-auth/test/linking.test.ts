import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Provider } from '#contracts'
import { type Constellation, openForTest, readLinkData, type SeededSite, seedSite, startConstellation } from '#testing'
import {
  answerProvider,
  associateAddress,
  authorizeAddress,
  begin,
  confirm,
  fetchOneTimeToken,
  hiddenFields,
  locationOf,
  logIn,
  openTestBrowser,
  type ProviderName,
  type TestBrowser,
} from './browser.ts'

let constellation: Constellation
let site: SeededSite
beforeAll(async () => {
  constellation = await startConstellation()
  site = await seedSite(constellation)
})
afterAll(() => constellation[Symbol.asyncDispose]())

const call = () => constellation.call()
let people = 0

/** A user who logged in through messaging, under a name nobody else has. */
async function newUser(): Promise<string> {
  const token = await fetchOneTimeToken(constellation, site, { user: `Person ${++people}` })
  return (await constellation.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())).identifier
}

async function issue(identifier: string, provider: ProviderName = 'search'): Promise<string> {
  const wanted = { site: site.site, identifier, provider }
  const { authenticate_uri } = await constellation.provider_auth.issueAssociationToken(wanted, call())
  return authenticate_uri
}

const addressFor = async (identifier: string, provider?: ProviderName) =>
  associateAddress(await issue(identifier, provider), site)

/** From the opened confirmation page to the callback. */
async function link(
  address: string,
  answer: Parameters<typeof answerProvider>[2] = { user: `Account ${++people}` },
  browser: TestBrowser = openTestBrowser(),
): Promise<Record<string, string>> {
  const at_provider = locationOf(await confirm(browser, address))
  return read(await browser.open(await answerProvider(browser, at_provider, answer)))
}

/** What a callback is opened with. */
function read(response: Response): Record<string, string> {
  const location = new URL(locationOf(response))
  expect(`${location.origin}${location.pathname}`).toBe(site.client.redirect_uri)
  return Object.fromEntries(location.searchParams)
}

const failed = (reason: string) => ({ status: 'failed', reason, state: 'state-of-the-application' })
const open = async (address: string, browser = openTestBrowser()) => read(await browser.open(address))

async function linksOf(identifier: string): Promise<Provider[]> {
  const { links } = await constellation.identity.resolveUser({ site: site.site, identifier }, call())
  return links.map(({ provider }) => provider).sort()
}

describe('linking', () => {
  test('302 with a one-time token of the same user: linked, credentials and profile kept, and it is no login', async () => {
    const identifier = await newUser()
    const { token = '', ...rest } = await link(await addressFor(identifier), { user: 'Grace Hopper' })
    expect(rest).toEqual({ status: 'authorized', state: 'state-of-the-application' })
    const redeemed = await constellation.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    expect(redeemed).toEqual({ identifier })
    const user = { site: site.site, identifier }
    expect(await linksOf(identifier)).toEqual(['messaging', 'search'])
    expect((await constellation.identity.resolveUser(user, call())).user).toMatchObject({
      login_count: 1,
      last_logged_in_provider: 'messaging',
    })
    const { credentials } = await readLinkData(constellation, user)
    expect(Object.keys(credentials).sort()).toEqual(['messaging', 'search'])
    const { profile } = await constellation.profile.readProfile(user, call())
    expect(profile).toMatchObject({ full_name: 'Grace Hopper', user_name: expect.stringContaining('Person') })
  })

  test('of messaging keeps the friend status', async () => {
    const token = await fetchOneTimeToken(constellation, site, { provider: 'search', user: `Person ${++people}` })
    const { identifier } = await constellation.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    expect(await link(await addressFor(identifier, 'messaging'))).toMatchObject({ status: 'authorized' })
    const { friend } = await readLinkData(constellation, { site: site.site, identifier })
    expect(friend?.friendship_status).toBe(false)
  })

  test('a later login with the linked account is the user’s', async () => {
    const identifier = await newUser()
    await link(await addressFor(identifier), { user: 'Linked Later' })
    const token = await fetchOneTimeToken(constellation, site, { provider: 'search', user: 'Linked Later' })
    const answer = await constellation.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    expect(answer).toEqual({ identifier })
  })

  test('LK-10 302 linked_to_another_user: the account stays where it is, and nothing is kept', async () => {
    const token = await fetchOneTimeToken(constellation, site, { provider: 'search', user: 'Taken' })
    const owner = await constellation.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    const identifier = await newUser()
    expect(await link(await addressFor(identifier), { user: 'Taken' })).toEqual(failed('linked_to_another_user'))
    expect(await linksOf(identifier)).toEqual(['messaging'])
    expect(await linksOf(owner.identifier)).toEqual(['search'])
    const { credentials } = await readLinkData(constellation, { site: site.site, identifier })
    expect(Object.keys(credentials)).toEqual(['messaging'])
  })

  test('302 already_linked before anybody is sent to the provider', async () => {
    const identifier = await newUser()
    expect(await open(await addressFor(identifier, 'messaging'))).toEqual(failed('already_linked'))
  })

  test('302 already_linked when another account was linked while the person was at the provider', async () => {
    const identifier = await newUser()
    const browser = openTestBrowser()
    const at_provider = locationOf(await confirm(browser, await addressFor(identifier)))
    const account = { site: site.site, identifier, provider: 'search', provider_user_id: `other-${++people}` } as const
    await constellation.identity.linkAccount(account, call())
    const callback = await answerProvider(browser, at_provider, { user: `Account ${++people}` })
    expect(read(await browser.open(callback))).toEqual(failed('already_linked'))
  })

  test.each<[ProviderName, string]>([
    ['messaging', 'ACCESS_DENIED'],
    ['search', 'access_denied'],
    ['device', 'user_cancelled_authorize'],
    ['microblog', 'access_denied'],
  ])('302 with the own error of %s when the person says no there', async (provider, reason) => {
    const other = provider === 'search' ? 'messaging' : 'search'
    const token = await fetchOneTimeToken(constellation, site, { provider: other, user: `Person ${++people}` })
    const { identifier } = await constellation.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    expect(await link(await addressFor(identifier, provider), { decision: 'deny' })).toEqual(failed(reason))
    expect(await linksOf(identifier)).toEqual([other])
  })

  test('302 authorized at a second try in the same browser, after a no at the provider', async () => {
    const browser = openTestBrowser()
    const address = await addressFor(await newUser())
    expect(await link(address, { decision: 'deny' }, browser)).toEqual(failed('access_denied'))
    expect(await link(address, { user: `Account ${++people}` }, browser)).toMatchObject({ status: 'authorized' })
  })
})

describe('the confirmation page', () => {
  test('LK-8 200: what is linked to which account of which application; nothing else happens, however often it is opened', async () => {
    const identifier = await newUser()
    const primary_key = `customer-${++people}`
    await constellation.identity.mapPrimaryKey({ site: site.site, identifier, primary_key, overwrite: false }, call())
    const browser = openTestBrowser()
    const address = await addressFor(identifier)
    for (let time = 0; time < 2; time++) {
      const response = await browser.open(address)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      const html = await response.text()
      for (const shown of [primary_key, 'Person ', 'search', `${site.account}/${site.site_id}`])
        expect(html).toContain(shown)
      expect(html).not.toMatch(/<script|\s(style|on\w+)=/)
    }
    expect(await linksOf(identifier)).toEqual(['messaging'])
  })

  test('lets its form lead on, and has no other leave: no scripts, no frames', async () => {
    const policy = (await openTestBrowser().open(await addressFor(await newUser()))).headers.get(
      'content-security-policy',
    )
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' http: https:;")
  })

  test('lets its form lead on to an app’s own scheme, too', async () => {
    const callback = 'com.example.app:/callback'
    await constellation.provider_auth.registerClient(
      { site: site.site, name: 'app', kind: 'public', redirect_uris: [callback] },
      call(),
    )
    const response = await openTestBrowser().open(
      associateAddress(await issue(await newUser()), site, { callback, state: undefined }),
    )
    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'self' http: https: com.example.app:;",
    )
  })

  test('prints a name as it is, whatever stands in it', async () => {
    const name = '<b>"Bobby" & Söhne</b>'
    const token = await fetchOneTimeToken(constellation, site, { user: name })
    const { identifier } = await constellation.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    const html = await (await openTestBrowser().open(await addressFor(identifier))).text()
    expect(html).toContain('&lt;b&gt;&quot;Bobby&quot; &amp; Söhne&lt;/b&gt;')
    expect(html).not.toContain('<b>')
  })

  test('302 access_denied when the person cancels, and the token is dead', async () => {
    const identifier = await newUser()
    const browser = openTestBrowser()
    const address = await addressFor(identifier)
    expect(read(await confirm(browser, address, 'cancel'))).toEqual(failed('access_denied'))
    expect([...browser.cookies.keys()]).toEqual([])
    expect(await open(address, browser)).toEqual(failed('token_invalid'))
  })

  test('LK-8 302 token_invalid in a second browser; the first one goes on', async () => {
    const identifier = await newUser()
    const [first, second] = [openTestBrowser(), openTestBrowser()]
    const address = await addressFor(identifier)
    await first.open(address)
    expect(await open(address, second)).toEqual(failed('token_invalid'))
    expect(await link(address, { user: `Account ${++people}` }, first)).toMatchObject({ status: 'authorized' })
  })

  test('LK-8 of two browsers that open it at once one alone is let in', async () => {
    const address = await addressFor(await newUser())
    const responses = await Promise.all([openTestBrowser(), openTestBrowser()].map((browser) => browser.open(address)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 302])
  })

  /** The confirmation page's form, as it can be sent. */
  async function openedForm() {
    const browser = openTestBrowser()
    const address = await addressFor(await newUser())
    const fields = hiddenFields(await (await browser.open(address)).text())
    const target = new URL(address).origin + new URL(address).pathname
    const send = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      fetch(target, {
        ...{ method: 'POST', redirect: 'manual' },
        body: new URLSearchParams({ ...fields, decision: 'link', ...changes }),
        headers: { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '), ...headers },
      })
    return { send, browser, target, fields }
  }

  test.each([
    ['no proof', { csrf: '' }, {}],
    ['a wrong proof', { csrf: 'a'.repeat(64) }, {}],
    ['another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of ours', {}, { 'sec-fetch-site': 'same-site' }],
  ])('SS-6 400 for a form from %s, though the browser is the right one', async (_, changes, headers: object) => {
    const { send } = await openedForm()
    const response = await send(changes, { ...headers })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(await response.text()).toContain('The confirmation was not sent by the page that asked for it.')
    expect((await send({}, { 'sec-fetch-site': 'same-origin' })).status).toBe(302)
  })

  test('SS-6 302 token_invalid for a form from another browser, and for one before the page was opened', async () => {
    const { target, fields } = await openedForm()
    expect(read(await openTestBrowser().open(target, { ...fields, decision: 'link' }))).toEqual(failed('token_invalid'))
    const address = new URL(await addressFor(await newUser()))
    const unopened = { ...Object.fromEntries(address.searchParams), decision: 'link', csrf: 'x' }
    expect(read(await openTestBrowser().open(target, unopened))).toEqual(failed('token_invalid'))
  })

  test('RU-7 400 for a form with another callback', async () => {
    const { send } = await openedForm()
    expect((await send({ callback: 'https://evil.example/' })).status).toBe(400)
  })
})

describe('LK-9 302 token_invalid for a token that', () => {
  /** Tries from the beginning, and from the provider's page, where the person was when the token died. */
  async function expectDead(identifier: string, kill: (identifier: string) => Promise<unknown>): Promise<void> {
    const address = await addressFor(identifier)
    const browser = openTestBrowser()
    const at_provider = locationOf(await confirm(browser, address))
    await kill(identifier)
    const callback = await answerProvider(browser, at_provider, { user: `Account ${++people}` })
    expect(read(await browser.open(callback))).toEqual(failed('token_invalid'))
    expect(await open(address, browser)).toEqual(failed('token_invalid'))
  }
  const user = (identifier: string) => ({ site: site.site, identifier })

  test('is unknown, or missing', async () => {
    const address = await addressFor(await newUser())
    for (const token of ['slas_unknown', '\u3042', undefined]) {
      const url = new URL(address)
      if (token === undefined) url.searchParams.delete('token')
      else url.searchParams.set('token', token)
      expect(await open(url.href)).toEqual(failed('token_invalid'))
    }
  })

  test('was issued for another provider or another site', async () => {
    const address = new URL(await addressFor(await newUser()))
    const other = await seedSite(constellation, { redirect_uris: [site.client.redirect_uri] })
    expect(await open(address.href.replace('/search/', '/messaging/'))).toEqual(failed('token_invalid'))
    expect(await open(address.href.replace(site.site_id, other.site_id))).toEqual(failed('token_invalid'))
  })

  test('was used', async () => {
    const address = await addressFor(await newUser())
    const browser = openTestBrowser()
    expect(await link(address, { user: `Account ${++people}` }, browser)).toMatchObject({ status: 'authorized' })
    expect(await open(address, browser)).toEqual(failed('token_invalid'))
  })

  test('was confirmed in two tabs of one browser: one links', async () => {
    const browser = openTestBrowser()
    const address = await addressFor(await newUser())
    const tabs = [await confirm(browser, address), await confirm(browser, address)].map(locationOf)
    const answers = []
    for (const at_provider of tabs) {
      const callback = await answerProvider(browser, at_provider, { user: `Account ${++people}` })
      answers.push(read(await browser.open(callback)).status)
    }
    expect(answers).toEqual(['authorized', 'failed'])
  })

  test('is over', async () => {
    const { knex, [Symbol.asyncDispose]: dispose } = openForTest(constellation.database_urls.provider_auth)
    await expectDead(await newUser(), ({ length }) =>
      knex('association_tokens').update({ expires_at: knex.raw('now()'), issued_at: new Date(length) }),
    )
    await dispose()
  })

  test('gave way to a later one', async () => {
    await expectDead(await newUser(), (identifier) => issue(identifier))
  })

  test('was issued before the user unlinked a provider', async () => {
    await expectDead(await newUser(), (identifier) =>
      constellation.identity.unlinkProviders(
        { ...user(identifier), providers: ['messaging'], nowarn: true, nomerge: false },
        call(),
      ),
    )
  })

  test('is of a user who was merged into another', async () => {
    const { identifier: destination } = (
      await constellation.identity.createUser({ site: site.site, links: [] }, call())
    ).user
    await expectDead(await newUser(), (source) =>
      constellation.identity.mergeUsers({ site: site.site, source, destination, nomerge: false }, call()),
    )
  })

  test('is of a user who was deleted', async () => {
    await expectDead(await newUser(), (identifier) => constellation.identity.deleteUser(user(identifier), call()))
  })

  test('is of a user identity does not have any more, though nobody told us', async () => {
    const identifier = await newUser()
    const address = await addressFor(identifier)
    const { knex, [Symbol.asyncDispose]: dispose } = openForTest(constellation.database_urls.identity)
    await knex('users').where({ site: site.site, identifier }).delete()
    await dispose()
    expect(await open(address)).toEqual(failed('token_invalid'))
  })

  test('was issued before the settings were disabled', async () => {
    const shop = await seedSite(constellation, { redirect_uris: [site.client.redirect_uri] })
    const token = await fetchOneTimeToken(constellation, shop)
    const { identifier } = await constellation.provider_auth.redeemOneTimeToken({ site: shop.site, token }, call())
    const wanted = { site: shop.site, identifier, provider: 'search' } as const
    const { authenticate_uri } = await constellation.provider_auth.issueAssociationToken(wanted, call())
    const address = associateAddress(authenticate_uri, shop)
    const names = { site: shop.site, account: shop.account, site_id: shop.site_id, client_id: 'c', client_secret: 's' }
    const settings = { ...names, provider: 'search' } as const
    await constellation.provider_auth.saveProviderSettings({ ...settings, enabled: false }, call())
    expect((await openTestBrowser().open(address)).status).toBe(400)
    await constellation.provider_auth.saveProviderSettings(settings, call())
    expect(await open(address)).toEqual(failed('token_invalid'))
  })
})

test('a linking and a login go on side by side in one browser', async () => {
  const browser = openTestBrowser()
  const identifier = await newUser()
  const at_provider = locationOf(await confirm(browser, await addressFor(identifier)))
  const login = await logIn(browser, authorizeAddress(site, 'search'), { user: `Account ${++people}` })
  expect(login.searchParams.has('code')).toBe(true)
  const callback = await answerProvider(browser, at_provider, { user: `Account ${++people}` })
  expect(new URL(await begin(browser, callback)).searchParams.get('status')).toBe('authorized')
})

describe('while something is away', () => {
  test('200 without the name of the user while profile is', async () => {
    const address = await addressFor(await newUser())
    await constellation.services.profile[0]?.stop()
    const response = await openTestBrowser().open(address)
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain('Person ')
  })

  test('the way to the provider while Redis is: starting a login needs nothing of it', async () => {
    const address = await addressFor(await newUser())
    await constellation.redis.stop()
    const started = await confirm(openTestBrowser(), address)
    expect(started.headers.get('location')).toMatch(constellation.simulator)
    await constellation.redis.start()
  })

  test('302 server_error while identity is, and the token is bound to no browser by that', async () => {
    const identifier = await newUser()
    const address = await addressFor(identifier)
    await constellation.services.identity[0]?.stop()
    expect(await open(address)).toEqual(failed('server_error'))
    await using database = openForTest(constellation.database_urls.provider_auth)
    expect(await database.knex('association_tokens').where({ identifier }).first('browser')).toEqual({ browser: null })
  })
})

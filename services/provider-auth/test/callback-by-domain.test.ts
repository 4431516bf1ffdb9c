import { beforeAll, describe, expect, test } from 'vitest'
import { type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  buildLinkUrl,
  getLocation,
  hiddenFields,
  logIn,
  openRedirect,
  openTestBrowser,
  submitLinkDecision,
  submitProviderSignIn,
} from './browser.ts'

let serviceStack: SharedStack
beforeAll(async () => {
  serviceStack = await sharedStack()
})

const call = () => serviceStack.call()

interface Rules {
  readonly kind?: 'development' | 'production'
  readonly domains?: string[]
  readonly callback_by_domain?: boolean
}

/** A site whose client may return to any URL in its domains; its redirect URI is in the last one. */
async function openSite({ kind = 'production', domains = ['shop.example.com'], ...client }: Rules = {}) {
  const site = await seedSite(serviceStack, {
    redirect_uris: [`https://${domains.at(-1) ?? 'any.example'}/registered`],
  })
  await serviceStack.identity.changeSite({ site: site.site, kind, domains }, call())
  await changeClient(site, { callback_by_domain: true, ...client })
  return site
}

async function changeClient({ site, client }: SeededSite, changes: { callback_by_domain: boolean }): Promise<void> {
  const name = { site, client_id: client.client_id }
  const { revision } = await serviceStack.provider_auth.readClient(name, call())
  await serviceStack.provider_auth.changeClient({ ...name, expected_revision: revision, ...changes }, call())
}

const addressOf = (site: SeededSite, changes: Record<string, string | undefined> = {}) =>
  buildAuthenticateUrl(serviceStack, site, 'search', { state: undefined, ...changes })

const callback = 'https://www.shop.example.com/mypage/?mode=login&return=%2fcart%3fid=1'
const failed = 'https://shop.example.com/failed?x=1'

async function expectInvalid(address: string, message = 'callback is invalid.'): Promise<void> {
  const response = await fetch(address, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await response.text()).toContain(`<p class="message">${message}`)
}

describe('a callback in the domains of the site', () => {
  test('gets a one-time token after its own query, which stays byte for byte', async () => {
    const site = await openSite()
    const browser = openTestBrowser()
    const returned = await submitProviderSignIn(browser, await openRedirect(browser, addressOf(site, { callback })))
    const location = getLocation(await browser.open(returned))
    expect(location.startsWith(`${callback}&status=authorized&token=slot_`)).toBe(true)
    const token = new URL(location).searchParams.get('token') ?? ''
    const { identifier } = await serviceStack.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    expect(identifier).toMatch(/^[0-9a-f]{40}$/)
  })

  test('own parameters that we add are replaced, so that each occurs once', async () => {
    const own = 'https://shop.example.com/?token=slot_forged&status=authorized&reason=x&state=own&a=1'
    const { search } = await logIn(openTestBrowser(), addressOf(await openSite(), { callback: own, state: 'ours' }))
    expect(search).toMatch(/^\?a=1&status=authorized&token=slot_[\w-]{43}&state=ours$/)
  })

  test('an own state stays if the request has none', async () => {
    const own = 'https://shop.example.com/?state=own'
    const { search } = await logIn(openTestBrowser(), addressOf(await openSite(), { callback: own }))
    expect(search).toMatch(/^\?state=own&status=authorized&token=slot_[\w-]{43}$/)
  })

  test('callbacks and state of together 2560 bytes are accepted, longer ones are not', async () => {
    const site = await openSite()
    const sizeOf = (length: number) => ({
      callback: `${'https://shop.example.com/?'.padEnd(1_000, 'c')}`,
      callback_if_failed: `${'https://shop.example.com/?'.padEnd(1_000, 'f')}`,
      state: 's'.repeat(length),
    })
    const location = await logIn(openTestBrowser(), addressOf(site, sizeOf(560)), { decision: 'deny' })
    expect(location.href).toContain('fff&status=failed&')
    await expectInvalid(addressOf(site, sizeOf(561)), 'The parameters cannot be read')
    // Three bytes of UTF-8 are nine when they are escaped.
    const escaped = `https://shop.example.com/?${'あ'.repeat(290)}`
    await expectInvalid(addressOf(site, { callback: escaped }), 'The parameters cannot be read')
  })
})

describe('400 page, no redirect and no cookie', () => {
  test('without the setting of a client, which is off by default', async () => {
    await expectInvalid(addressOf(await openSite({ callback_by_domain: false }), { callback }))
    const untouched = await seedSite(serviceStack)
    const rules = { site: untouched.site, domains: ['shop.example.com'] }
    await serviceStack.identity.changeSite(rules, call())
    await expectInvalid(addressOf(untouched, { callback }))
  })

  test('at a site without domains', async () => {
    await expectInvalid(addressOf(await openSite({ domains: [] }), { callback }))
  })

  test.each([
    'https://evil.example/',
    'http://shop.example.com/',
    'https://shop.example.com.evil.example/',
    'https://shop.example.com@evil.example/',
    'https://shop.example.com/#x',
    'https://localhost/',
    'https://127.0.0.1/',
    'javascript:alert(1)',
  ])('for %s, as callback or callback_if_failed', async (wrong) => {
    const site = await openSite()
    await expectInvalid(addressOf(site, { callback: wrong }))
    await expectInvalid(addressOf(site, { callback, callback_if_failed: wrong }))
  })

  test('for another site’s domain', async () => {
    await openSite({ domains: ['other.example'] })
    await expectInvalid(addressOf(await openSite(), { callback: 'https://other.example/' }))
  })

  test('for a repeated callback_if_failed', async () => {
    const address = addressOf(await openSite(), { callback, callback_if_failed: failed })
    await expectInvalid(`${address}&callback_if_failed=x`, 'The parameters cannot be read')
  })

  test('redirect URIs of OpenID Connect must be registered all the same', async () => {
    await expectInvalid(
      buildAuthorizeUrl(await openSite(), 'search', { redirect_uri: callback }),
      'redirect_uri is invalid.',
    )
  })
})

test.each(['https://localhost/x', 'https://127.0.0.1:8443/x'])(
  '%s is a callback at a development site',
  async (local) => {
    const location = await logIn(
      openTestBrowser(),
      addressOf(await openSite({ kind: 'development' }), { callback: local }),
    )
    expect([location.origin + location.pathname, location.searchParams.get('status')]).toEqual([local, 'authorized'])
  },
)

describe('callback_if_failed', () => {
  test('gets failures, and callback gets successes', async () => {
    const site = await openSite()
    const address = addressOf(site, { callback, callback_if_failed: failed, state: 's' })
    const denied = await logIn(openTestBrowser(), address, { decision: 'deny' })
    expect(denied.href).toBe(`${failed}&status=failed&reason=access_denied&state=s`)
    expect((await logIn(openTestBrowser(), address)).href.startsWith(`${callback}&status=authorized`)).toBe(true)
  })

  test('is a registered redirect URI of the same client without callbacks by domain', async () => {
    const [registered, forFailures] = ['https://shop.example.com/callback', 'https://shop.example.com/failed']
    const site = await seedSite(serviceStack, { redirect_uris: [registered, forFailures] })
    const address = addressOf(site, { callback: registered, callback_if_failed: forFailures })
    const denied = await logIn(openTestBrowser(), address, { decision: 'deny' })
    expect(denied.href).toBe(`${forFailures}?status=failed&reason=access_denied`)
    await expectInvalid(addressOf(site, { callback: registered, callback_if_failed: `${forFailures}?x` }))
    const other = { site: site.site, name: 'other', kind: 'confidential', redirect_uris: [failed] } as const
    await serviceStack.provider_auth.registerClient({ ...other, redirect_uris: [failed] }, call())
    await expectInvalid(addressOf(site, { callback: registered, callback_if_failed: failed }))
  })
})

describe('a login whose callback is not allowed any more when the end user returns ends with a page', () => {
  test.each<[string, (site: SeededSite) => Promise<unknown>]>([
    ['the setting is off', (site) => changeClient(site, { callback_by_domain: false })],
    [
      'the site has another domain',
      ({ site }) => serviceStack.identity.changeSite({ site, domains: ['kept.example'] }, call()),
    ],
  ])('because %s', async (_, change) => {
    const site = await openSite({ domains: ['shop.example.com', 'kept.example'] })
    const browser = openTestBrowser()
    const returned = await submitProviderSignIn(browser, await openRedirect(browser, addressOf(site, { callback })))
    await change(site)
    const response = await browser.open(returned)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })
})

describe('linking with a callback by domain', () => {
  /** The URL at which a new user links a search account. */
  const linkingAddress = async (site: SeededSite, changes: Record<string, string> = {}) => {
    const links = [{ provider: 'messaging', provider_user_id: `U${crypto.randomUUID()}` } as const]
    const { user } = await serviceStack.identity.createUser({ site: site.site, links }, call())
    const input = { site: site.site, identifier: user.identifier, provider: 'search' } as const
    const { authenticate_uri } = await serviceStack.provider_auth.issueAssociationToken(input, call())
    return buildLinkUrl(authenticate_uri, site, { callback, callback_if_failed: failed, ...changes })
  }
  const newAccount = () => ({ user: `Links ${crypto.randomUUID()}` })

  test.each(['/associate', '/authenticate/associate'])('at %s: links, and returns to callback', async (path) => {
    const address = (await linkingAddress(await openSite())).replace('/associate', path)
    const browser = openTestBrowser()
    const atProvider = getLocation(await submitLinkDecision(browser, address))
    const returned = await submitProviderSignIn(browser, atProvider, newAccount())
    expect(getLocation(await browser.open(returned))).toMatch(
      new RegExp(`^${RegExp.escape(callback)}&status=authorized`),
    )
  })

  test('canceled, or opened in a browser after another one confirmed: returns to callback_if_failed', async () => {
    const address = await linkingAddress(await openSite())
    const browser = openTestBrowser()
    const canceled = getLocation(await submitLinkDecision(browser, address, 'cancel'))
    expect(canceled).toBe(`${failed}&status=failed&reason=access_denied&state=state-of-the-application`)
    const confirmed = await linkingAddress(await openSite())
    await submitLinkDecision(browser, confirmed, 'link')
    const second = getLocation(await openTestBrowser().open(confirmed))
    expect(second).toBe(`${failed}&status=failed&reason=token_invalid&state=state-of-the-application`)
  })

  test('the form of the confirmation cannot change the callback to one that is not allowed', async () => {
    const address = await linkingAddress(await openSite())
    const browser = openTestBrowser()
    const fields = hiddenFields(await (await browser.open(address)).text())
    const { origin, pathname } = new URL(address)
    const changed = { ...fields, callback: 'https://evil.example/', decision: 'cancel' }
    expect((await browser.open(origin + pathname, changed)).status).toBe(400)
  })
})

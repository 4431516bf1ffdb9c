import { describe, expect, test } from 'vitest'
import { openForTest, passClockSteps, seedSite } from '#testing'
import {
  buildLinkUrl,
  fetchOneTimeToken,
  getLocation,
  openTestBrowser,
  submitLinkDecision,
  submitProviderSignIn,
} from './browser.ts'
import { createLinkSteps, failedParameters } from './link-steps.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()
const { newAccount, newUser, issue, addressFor, link, read, open } = createLinkSteps(() => ({ serviceStack, site }))
const call = () => serviceStack.call()

describe('302 token_invalid for a token that', () => {
  /**
   * Tries to link from the start, and from the provider's page, as if the token became invalid while the end user was
   * there.
   */
  async function expectDead(identifier: string, kill: (identifier: string) => Promise<unknown>): Promise<void> {
    const address = await addressFor(identifier)
    const browser = openTestBrowser()
    const atProvider = getLocation(await submitLinkDecision(browser, address))
    await passClockSteps()
    await kill(identifier)
    const callback = await submitProviderSignIn(browser, atProvider, newAccount())
    expect(read(await browser.open(callback))).toEqual(failedParameters('token_invalid'))
    expect(await open(address, browser)).toEqual(failedParameters('token_invalid'))
  }
  const user = (identifier: string) => ({ site: site.site, identifier })

  test('is unknown, or missing', async () => {
    const address = await addressFor(await newUser())
    for (const token of ['slas_unknown', '\u3042', undefined]) {
      const url = new URL(address)
      if (token === undefined) url.searchParams.delete('token')
      else url.searchParams.set('token', token)
      expect(await open(url.href)).toEqual(failedParameters('token_invalid'))
    }
  })

  test('was issued for another provider or another site', async () => {
    const address = new URL(await addressFor(await newUser()))
    const other = await seedSite(serviceStack, { redirect_uris: [site.client.redirect_uri] })
    expect(await open(address.href.replace('/search/', '/messaging/'))).toEqual(failedParameters('token_invalid'))
    expect(await open(address.href.replace(site.site_id, other.site_id))).toEqual(failedParameters('token_invalid'))
  })

  test('was used', async () => {
    const address = await addressFor(await newUser())
    const browser = openTestBrowser()
    expect(await link(address, newAccount(), browser)).toMatchObject({ status: 'authorized' })
    expect(await open(address, browser)).toEqual(failedParameters('token_invalid'))
  })

  test('was confirmed in two tabs of one browser: only one links', async () => {
    const browser = openTestBrowser()
    const address = await addressFor(await newUser())
    const tabs = [await submitLinkDecision(browser, address), await submitLinkDecision(browser, address)].map(
      getLocation,
    )
    const responses = []
    for (const atProvider of tabs) {
      const callback = await submitProviderSignIn(browser, atProvider, newAccount())
      responses.push(read(await browser.open(callback)).status)
    }
    expect(responses).toEqual(['authorized', 'failed'])
  })

  test('has expired', async () => {
    const { knex, [Symbol.asyncDispose]: dispose } = openForTest(serviceStack.database_urls.provider_auth)
    await expectDead(await newUser(), ({ length }) =>
      knex('association_tokens').update({ expires_at: knex.raw('now()'), issued_at: new Date(length) }),
    )
    await dispose()
  })

  test('was replaced by a later one', async () => {
    await expectDead(await newUser(), (identifier) => issue(identifier))
  })

  test('was issued before the user unlinked a provider', async () => {
    await expectDead(await newUser(), (identifier) =>
      serviceStack.identity.unlinkProviders(
        { ...user(identifier), providers: ['messaging'], nowarn: true, nomerge: false },
        call(),
      ),
    )
  })

  test('is of a user who was merged into another', async () => {
    const { identifier: destination } = (await serviceStack.identity.createUser({ site: site.site, links: [] }, call()))
      .user
    await expectDead(await newUser(), (source) =>
      serviceStack.identity.mergeUsers(
        { site: site.site, source: { identifier: source }, destination: { identifier: destination }, nomerge: false },
        call(),
      ),
    )
  })

  test('is of a user who was deleted', async () => {
    await expectDead(await newUser(), (identifier) => serviceStack.identity.deleteUser(user(identifier), call()))
  })

  test('belongs to a user that identity has deleted', async () => {
    const identifier = await newUser()
    const address = await addressFor(identifier)
    const { knex, [Symbol.asyncDispose]: dispose } = openForTest(serviceStack.database_urls.identity)
    await knex('users').where({ site: site.site, identifier }).delete()
    await dispose()
    expect(await open(address)).toEqual(failedParameters('token_invalid'))
  })

  test('was issued before the settings were disabled', async () => {
    const shop = await seedSite(serviceStack, { redirect_uris: [site.client.redirect_uri] })
    const token = await fetchOneTimeToken(serviceStack, shop)
    const { identifier } = await serviceStack.provider_auth.redeemOneTimeToken({ site: shop.site, token }, call())
    const input = { site: shop.site, identifier, provider: 'search' } as const
    const { authenticate_uri } = await serviceStack.provider_auth.issueAssociationToken(input, call())
    const address = buildLinkUrl(authenticate_uri, shop)
    const names = { site: shop.site, account: shop.account, site_id: shop.site_id, client_id: 'c', client_secret: 's' }
    const settings = { ...names, provider: 'search' } as const
    await serviceStack.provider_auth.saveProviderSettings({ ...settings, enabled: false }, call())
    expect((await openTestBrowser().open(address)).status).toBe(400)
    await serviceStack.provider_auth.saveProviderSettings(settings, call())
    expect(await open(address)).toEqual(failedParameters('token_invalid'))
  })
})

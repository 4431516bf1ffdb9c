import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '#contracts'
import { openForTest, readLinkData, type SeededSite, seedSite } from '#testing'
import { buildAuthenticateUrl, openRedirect, openTestBrowser } from './browser.ts'
import { type MaliciousProvider, startMaliciousProvider } from './malicious-provider.ts'
import { createOwnSiteFixture } from './site-fixture.ts'

let hostile: MaliciousProvider
beforeAll(async () => {
  hostile = await startMaliciousProvider()
  return () => hostile[Symbol.asyncDispose]()
})
const { serviceStack, site } = createOwnSiteFixture(() => ({
  providerAuthEnvironment: { PROVIDER_SIMULATOR_URL: hostile.url },
}))
let linkId: string
beforeAll(async () => {
  const { links } = await readLinkData(serviceStack, { site: site.site, identifier: await logIn(site) })
  linkId = links[0]?.link_id ?? ''
})
beforeEach(() => {
  hostile.forgery = {}
})

async function logIn(to: SeededSite): Promise<string> {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, buildAuthenticateUrl(serviceStack, to, 'messaging'))
  const callback = new URL(await openRedirect(browser, await openRedirect(browser, atProvider)))
  expect(callback.searchParams.has('friendship_status_changed')).toBe(false)
  const token = callback.searchParams.get('token') ?? ''
  const redeemed = await serviceStack.provider_auth.redeemOneTimeToken({ site: to.site, token }, serviceStack.call())
  return redeemed.identifier
}

const fetchStatus = () =>
  serviceStack.provider_auth.fetchFriendshipStatus({ site: site.site, link_id: linkId }, serviceStack.call())
const setResponse = (respond: (response: ServerResponse) => void) => {
  hostile.forgery = { instead: { status: respond } }
}
const failWith = (status: number, body: string) => setResponse((response) => response.writeHead(status).end(body))
const message = (text: unknown) => JSON.stringify({ message: text })
const longDescription = 'The provider gave no reason.'

describe('fetchFriendshipStatus', () => {
  test.each([true, false])('returns the provider’s status: %s', async (friendFlag) => {
    setResponse((response) => response.end(JSON.stringify({ friendFlag })))
    expect(await fetchStatus()).toEqual({ friendship_status: friendFlag })
  })

  test.each<[number, string]>([
    [400, 'provider_error'],
    [401, 'invalid_token'],
    [403, 'insufficient_scope'],
    [404, 'provider_error'],
    [429, 'temporarily_unavailable'],
    [500, 'temporarily_unavailable'],
    [503, 'temporarily_unavailable'],
  ])('provider_error for a %i of the provider: %s, with its message', async (status, error) => {
    failWith(status, message('No reason given.'))
    expect(await fetchStatus()).toEqual({ provider_error: { error, error_description: 'No reason given.' } })
  })

  test.each([
    ['a long message', message('x'.repeat(10_000)), 'x'.repeat(255)],
    ['a message of many scripts and control characters', message('\u0000Bad\r\n\u3042token\u202e!'), 'Bad token !'],
    ['an invalid message', message({ nested: true }), longDescription],
    ['an empty message', message('\u3042'), longDescription],
    ['no JSON', '<h1>Bad Request</h1>', longDescription],
    ['nothing', '', longDescription],
  ])('error_description is printable and short: %s', async (_, body, errorDescription) => {
    failWith(400, body)
    expect(await fetchStatus()).toEqual({
      provider_error: { error: 'provider_error', error_description: errorDescription },
    })
  })

  test.each([
    ['no JSON', 'yes'],
    ['no flag', '{}'],
    ['a flag that is a text', '{"friendFlag":"true"}'],
    ['an oversized response', JSON.stringify({ friendFlag: true, more: 'x'.repeat(1_100_000) })],
  ])('provider_error for a successful response with invalid content: %s', async (_, body) => {
    setResponse((response) => response.end(body))
    expect(await fetchStatus()).toEqual({ provider_error: expect.objectContaining({ error: 'provider_error' }) })
  })

  test('provider_error for a redirect, which is not followed', async () => {
    setResponse((response) => response.writeHead(302, { location: 'http://localhost:1/' }).end())
    expect(await fetchStatus()).toEqual({ provider_error: expect.objectContaining({ error: 'provider_error' }) })
  })

  test('provider_error temporarily_unavailable for a provider that does not respond', async () => {
    setResponse(() => {})
    expect(await fetchStatus()).toEqual({
      provider_error: expect.objectContaining({ error: 'temporarily_unavailable' }),
    })
  })

  test('provider_error temporarily_unavailable for a closed connection', async () => {
    setResponse((response) => response.destroy())
    expect(await fetchStatus()).toEqual({
      provider_error: expect.objectContaining({ error: 'temporarily_unavailable' }),
    })
  })

  test('provider_not_linked without a messaging credential', async () => {
    const input = { site: site.site, link_id: randomUUID() }
    const fetching = serviceStack.provider_auth.fetchFriendshipStatus(input, serviceStack.call())
    await expect(fetching).rejects.toEqual(new Fault('provider_not_linked'))
  })

  test.each(['official_account', 'enabled'] as const)(
    'provider_settings_incomplete with %s off, without a request',
    async (off) => {
      await using database = openForTest(serviceStack.database_urls.provider_auth)
      const settings = () => database.knex('provider_settings').where({ site: site.site, provider: 'messaging' })
      await settings().update({ [off]: false })
      // A change that provider-auth does not make itself takes effect within a second.
      await expect
        .poll(() => fetchStatus().catch((error: unknown) => error))
        .toEqual(new Fault('provider_settings_incomplete'))
      const before = hostile.requestCounts.get('status')
      await expect(fetchStatus()).rejects.toEqual(new Fault('provider_settings_incomplete'))
      expect(hostile.requestCounts.get('status')).toBe(before)
      await settings().update({ [off]: true })
      await expect.poll(() => fetchStatus().then(() => 'complete')).toBe('complete')
    },
  )
})

describe('at a login the status is', () => {
  const respondWith = (friendFlag: boolean) => (response: ServerResponse) =>
    void response.end(JSON.stringify({ friendFlag }))
  const fails = (response: ServerResponse) => void response.writeHead(500).end()

  test.each<[string, string | undefined, (response: ServerResponse) => void, boolean | null]>([
    ['the provider’s', undefined, respondWith(true), true],
    ['the provider’s, not the callback’s', 'true', respondWith(false), false],
    ['true if the provider does not respond but the callback reports a new friend', 'true', fails, true],
    ['unknown if the callback reports no change', 'false', fails, null],
    ['unknown if the callback reports nothing', undefined, fails, null],
    ['unknown if the callback has an invalid value', 'yes', fails, null],
  ])('%s', async (_what, changed, status, received) => {
    const other = await seedSite(serviceStack)
    hostile.forgery = {
      instead: { status },
      returns: (parameters) => changed !== undefined && parameters.set('friendship_status_changed', changed),
    }
    const user = { site: other.site, identifier: await logIn(other) }
    const read = async () => (await readLinkData(serviceStack, user)).friend
    await expect.poll(read).toMatchObject({ friendship_status: received })
  })
})

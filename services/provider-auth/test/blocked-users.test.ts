import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openForTest, readLinkData, settled } from '#testing'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  fetchOneTimeToken,
  getLocation,
  logInWith,
  openRedirect,
  openTestBrowser,
  readResponseForm,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'
import { createLinkSteps, failedParameters } from './link-steps.ts'
import { createNativeAppFixture } from './native-app.ts'

const { serviceStack, site, application, app } = createNativeAppFixture()
const steps = createLinkSteps(() => ({ serviceStack, site }))
const denied = {
  error: 'access_denied',
  error_description: 'The user is blocked.',
  state: 'state-of-the-application',
}

async function block(identifier: string, until: string | null = null): Promise<void> {
  const { identity, call } = serviceStack
  await identity.blockUser({ site: site.site, identifier, until, reason: null, by: 'Test' }, call())
}
const unblock = (identifier: string) =>
  serviceStack.identity.unblockUser({ site: site.site, identifier }, serviceStack.call())
const readUser = (identifier: string) =>
  serviceStack.identity.resolveUser({ site: site.site, identifier }, serviceStack.call())

/** A user who has logged in, the browser, and the callback with the code. */
async function newLogin() {
  const user = `Blocked ${randomUUID()}`
  const browser = openTestBrowser()
  const callback = await logInWith(site, 'search', { browser, user })
  return { user, browser, address: buildAuthorizeUrl(site, 'search'), callback }
}

/** Logs a user in who then sees a page of ours; returns its status and where its link leads. */
async function logInToPage(browser: TestBrowser, address: string, user: string) {
  const callback = await submitProviderSignIn(browser, await openRedirect(browser, address), { user })
  return { callback, ...(await readPage(await browser.open(callback))) }
}

async function readPage(response: Response) {
  const html = await response.text()
  const link = /<p class="forward"><a href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  if (link === undefined) throw new Error(`The page leads nowhere: ${response.status} ${html}`)
  return { status: response.status, html, parameters: Object.fromEntries(new URL(link).searchParams) }
}

test('a blocked user sees a page that leads to the application with access_denied; nothing is counted or stored', async () => {
  const { user, address, callback } = await newLogin()
  const identifier = await application.userOf(callback)
  await block(identifier)
  const before = await readLinkData(serviceStack, { site: site.site, identifier })
  const browser = openTestBrowser()
  const { status, html, parameters, ...login } = await logInToPage(browser, `${address}&ui_locales=ja`, user)
  expect([status, parameters]).toEqual([403, { ...denied, iss: serviceStack.auth }])
  expect(html).toContain('ログインできません')
  expect([...browser.cookies.keys()].filter((name) => name.startsWith('session-'))).toEqual([])
  // A browser that opens the callback twice shows the second response.
  expect((await readPage(await browser.open(login.callback))).parameters).toEqual(parameters)
  await settled(serviceStack)
  expect((await readUser(identifier)).user).toMatchObject({ login_count: 1, block: { until: null, by: 'Test' } })
  expect(await readLinkData(serviceStack, { site: site.site, identifier })).toEqual(before)

  await unblock(identifier)
  expect(await application.userOf(await logInWith(site, 'search', { user }))).toBe(identifier)
})

test('form_post posts access_denied at once', async () => {
  const { user, callback } = await newLogin()
  await block(await application.userOf(callback))
  const browser = openTestBrowser()
  const address = buildAuthorizeUrl(site, 'search', { response_mode: 'form_post' })
  const atUs = await submitProviderSignIn(browser, await openRedirect(browser, address), { user })
  expect((await readResponseForm(await browser.open(atUs))).fields).toMatchObject(denied)
})

test('sessions end with the block, and not only while it lasts', async () => {
  const { browser, callback, address } = await newLogin()
  const silent = async () => {
    const { searchParams } = new URL(getLocation(await browser.open(`${address}&prompt=none`)))
    return searchParams.get('error')
  }
  const identifier = await application.userOf(callback)
  await block(identifier)
  await unblock(identifier)
  expect(await silent()).toBe('login_required')

  const again = await newLogin()
  const id = await application.userOf(again.callback)
  await block(id)
  const { searchParams } = new URL(getLocation(await again.browser.open(`${address}&prompt=none`)))
  expect(Object.fromEntries(searchParams)).toMatchObject(denied)
})

test('codes and access tokens of earlier logins are not accepted, also after the block', async () => {
  const { browser, address, callback } = await newLogin()
  const { access_token, id_token } = await application.redeem(callback)
  const { sub: identifier = '' } = await application.verify(id_token)
  const unused = new URL(getLocation(await browser.open(`${address}&prompt=none`)))
  expect(await application.userinfo(access_token)).toMatchObject({ sub: identifier })
  await block(identifier)
  expect(await application.userinfo(access_token)).toMatchObject({ error: 'invalid_token' })
  await expect(application.redeem(unused)).rejects.toThrow('invalid_grant')
  await unblock(identifier)
  expect(await application.userinfo(access_token)).toMatchObject({ error: 'invalid_token' })
})

test('a block ends by itself', async () => {
  const { user, address, callback } = await newLogin()
  const identifier = await application.userOf(callback)
  await block(identifier, '2100-01-01T00:00:00Z')
  expect((await logInToPage(openTestBrowser(), address, user)).status).toBe(403)
  await using database = openForTest(serviceStack.database_urls.identity)
  await database
    .knex('users')
    .where({ site: site.site, identifier })
    .update({ blocked_until: database.knex.raw("now() - interval '1 second'") })
  expect(await application.userOf(await logInWith(site, 'search', { user }))).toBe(identifier)
})

test('site logins and links of a blocked user fail with access_denied', async () => {
  const user = `Blocked ${randomUUID()}`
  const address = buildAuthenticateUrl(serviceStack, site, 'messaging')
  const identifier = await app.redeem(await fetchOneTimeToken(serviceStack, site, { user }))
  const linking = await steps.addressFor(identifier)
  await block(identifier)
  expect((await logInToPage(openTestBrowser(), address, user)).parameters).toEqual(failedParameters('access_denied'))
  const browser = openTestBrowser()
  const atUs = await submitProviderSignIn(browser, await steps.confirm(linking, browser), steps.newAccount())
  expect((await readPage(await browser.open(atUs))).parameters).toEqual(failedParameters('access_denied'))
})

test('native logins and token exchanges of a blocked user get 403', async () => {
  const user = `Blocked ${randomUUID()}`
  const { id_token } = await app.logInBySdk('search', { user })
  await block(await app.redeem(await app.fetchToken('search', { id_token })))
  const error = { error: 'access_denied', error_description: 'The user is blocked.' }
  const injected = await app.inject('search', { id_token: (await app.logInBySdk('search', { user })).id_token })
  expect([injected.status, await injected.json()]).toEqual([403, expect.objectContaining(error)])

  const client = { site: site.site, name: 'app', kind: 'public', redirect_uris: ['https://app.example.com/'] } as const
  const { client_id } = await serviceStack.provider_auth.registerClient(
    { ...client, redirect_uris: [...client.redirect_uris], token_exchange: true },
    serviceStack.call(),
  )
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id,
    subject_token: (await app.logInBySdk('search', { user })).id_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_issuer: 'search',
    scope: 'openid',
  }
  const response = await fetch(`${serviceStack.auth}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  expect([response.status, await response.json()]).toEqual([403, expect.objectContaining(error)])
})

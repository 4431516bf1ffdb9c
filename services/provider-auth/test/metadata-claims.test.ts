import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Metadata, MetadataPartName } from '#contracts'
import { buildAuthorizeUrl, logInWith, openTestBrowser } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()
let browser: ReturnType<typeof openTestBrowser>
let identifier: string
beforeAll(async () => {
  browser = openTestBrowser()
  const login = { browser, user: 'Has metadata', parameters: { scope: 'openid' } }
  identifier = await application.userOf(await logInWith(site, 'messaging', login))
})

async function setMetadata(metadata: Metadata): Promise<void> {
  await serviceStack.identity.changeMetadata(
    { site: site.site, identifier, ...metadata, replace: true },
    serviceStack.call(),
  )
}

async function setClaims(claims: MetadataPartName[]): Promise<void> {
  const name = { site: site.site, client_id: site.client.client_id }
  const { revision } = await serviceStack.provider_auth.readClient(name, serviceStack.call())
  const change = { ...name, expected_revision: revision, metadata_claims: claims }
  await serviceStack.provider_auth.changeClient(change, serviceStack.call())
}

/** Requests a response for the browser's session, in the scope `openid`. */
async function authorize(fields: Record<string, string> = {}): Promise<URL> {
  const address = buildAuthorizeUrl(site, 'messaging', { scope: 'openid', prompt: 'none', ...fields })
  return new URL((await browser.open(address)).headers.get('location') ?? '')
}

async function requestInCodeFlow() {
  const tokens = await application.redeem(await authorize())
  const userinfo = () => application.userinfo(tokens.access_token)
  return { idToken: await application.verify(tokens.id_token), userinfo }
}

async function requestInIdTokenFlow() {
  const { hash } = await authorize({ response_type: 'id_token', nonce: 'n-1' })
  return application.verify(new URLSearchParams(hash.slice(1)).get('id_token') ?? '')
}

beforeEach(() => setClaims([]))

const metadata = { user_metadata: { language: 'ja' }, app_metadata: { plan: 'premium', roles: ['admin'] } }

test('without the setting, neither ID Tokens nor userinfo have metadata', async () => {
  await setMetadata(metadata)
  const { idToken, userinfo } = await requestInCodeFlow()
  for (const claims of [idToken, await userinfo(), await requestInIdTokenFlow()])
    for (const part of Object.keys(metadata)) expect(claims).not.toHaveProperty(part)
})

test('a client receives the parts of its setting as they are now, in both flows and in userinfo', async () => {
  await setClaims(['app_metadata'])
  await setMetadata(metadata)
  const { idToken, userinfo } = await requestInCodeFlow()
  for (const claims of [idToken, await userinfo(), await requestInIdTokenFlow()]) {
    expect(claims).toMatchObject({ sub: identifier, app_metadata: metadata.app_metadata })
    expect(claims).not.toHaveProperty('user_metadata')
  }
  await setMetadata({ ...metadata, app_metadata: {} })
  expect(await userinfo()).toMatchObject({ app_metadata: {} })
  await setClaims([])
  expect(await userinfo()).not.toHaveProperty('app_metadata')
})

test('ID Tokens have no metadata of more than 2048 bytes, and userinfo has it', async () => {
  await setClaims(['user_metadata', 'app_metadata'])
  const ofSize = (bytes: number) => ({
    user_metadata: {},
    app_metadata: { a: 'x'.repeat(bytes - '{}{"a":""}'.length) },
  })
  await setMetadata(ofSize(2_048))
  expect((await requestInCodeFlow()).idToken).toMatchObject(ofSize(2_048))
  await setMetadata(ofSize(2_049))
  const { idToken, userinfo } = await requestInCodeFlow()
  for (const claims of [idToken, await requestInIdTokenFlow()]) {
    expect(claims).not.toHaveProperty('user_metadata')
    expect(claims).not.toHaveProperty('app_metadata')
  }
  expect(await userinfo()).toMatchObject(ofSize(2_049))
})

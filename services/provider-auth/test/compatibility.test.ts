import { beforeAll, expect, test } from 'vitest'
import type { CompatibilityOption } from '#contracts'
import { newToken } from '#runtime'
import { type SeededSite, seedSite, waitFor } from '#testing'
import { newAccessToken } from '../store/access-tokens.ts'
import { fetchOneTimeToken } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

/** A site with all options, and one without. */
const { serviceStack, site: compatible } = createSiteFixture()
const { site: usual } = createSiteFixture()
beforeAll(() => setOptions(compatible, ['token_errors_400', 'userinfo_unauthorized', 'hex_one_time_tokens']))

async function setOptions({ site }: SeededSite, compatibility: CompatibilityOption[]): Promise<void> {
  await serviceStack.identity.changeSite({ site, compatibility }, serviceStack.call())
}

async function requestTokens({ client }: SeededSite, changes: Record<string, string> = {}, headers = {}) {
  const form = { grant_type: 'authorization_code', code: 'unknown', ...client, ...changes }
  const response = await fetch(`${serviceStack.auth}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  })
  const body: unknown = await response.json()
  return { status: response.status, body, challenge: response.headers.get('www-authenticate') }
}

async function requestUserinfo(accessToken: string) {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(`${serviceStack.auth}/oauth2/userinfo`, { headers })
  const body: unknown = await response.json()
  return { status: response.status, body, challenge: response.headers.get('www-authenticate') }
}

const invalidClient = { error: 'invalid_client', error_description: 'client_id or client_secret is invalid.' }
const invalidToken = { error: 'invalid_token', error_description: 'The access token is invalid.' }

test('token_errors_400: a wrong client secret is 400 instead of 401, by either method', async () => {
  const wrong = { client_secret: 'wrong' }
  expect(await requestTokens(compatible, wrong)).toEqual({ status: 400, body: invalidClient, challenge: null })
  const basic = { authorization: `Basic ${btoa(`${compatible.client.client_id}:wrong`)}` }
  const byHeader = await requestTokens(compatible, { client_id: '', client_secret: '' }, basic)
  expect(byHeader).toEqual({ status: 400, body: invalidClient, challenge: null })
  expect(await requestTokens(usual, wrong)).toMatchObject({ status: 401, body: invalidClient })
})

test('token_errors_400: other errors are 400 in any case, and a client that no site has is 401', async () => {
  const invalidGrant = { error: 'invalid_grant', error_description: 'Authorization code is invalid.' }
  for (const site of [compatible, usual])
    expect(await requestTokens(site)).toMatchObject({ status: 400, body: invalidGrant })
  expect(await requestTokens(compatible, { client_id: 'unknown' })).toMatchObject({ status: 401 })
})

test('userinfo_unauthorized: an invalid access token of the site is 401 with only `unauthorized`', async () => {
  const challenge = 'Bearer error="invalid_token"'
  const ofSite = ({ site }: SeededSite) => requestUserinfo(newAccessToken(site))
  expect(await ofSite(compatible)).toEqual({ status: 401, body: { error: 'unauthorized' }, challenge })
  expect(await ofSite(usual)).toEqual({ status: 401, body: invalidToken, challenge })
  for (const token of [newToken('slat_'), newAccessToken(2 ** 31 - 1)])
    expect(await requestUserinfo(token)).toEqual({ status: 401, body: invalidToken, challenge })
})

test('hex_one_time_tokens: one-time tokens are 40 hex digits, and can be redeemed once', async () => {
  const token = await fetchOneTimeToken(serviceStack, compatible)
  expect(token).toMatch(/^[0-9a-f]{40}$/)
  const redeem = () =>
    serviceStack.provider_auth.redeemOneTimeToken({ site: compatible.site, token }, serviceStack.call())
  expect(await redeem()).toMatchObject({ identifier: expect.any(String) })
  await expect(redeem()).rejects.toMatchObject({ fault: 'invalid_authentication_token' })
  expect(await fetchOneTimeToken(serviceStack, usual)).toMatch(/^slot_/)
})

test('a change of the options applies to the next logins', async () => {
  const site = await seedSite(serviceStack)
  expect(await fetchOneTimeToken(serviceStack, site)).toMatch(/^slot_/)
  await setOptions(site, ['hex_one_time_tokens'])
  await waitFor(async () => expect(await fetchOneTimeToken(serviceStack, site)).toMatch(/^[0-9a-f]{40}$/), {
    interval: 200,
  })
})

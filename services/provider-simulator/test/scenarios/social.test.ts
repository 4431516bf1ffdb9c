import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { endScenarios, startScenario } from '../scenario-api.ts'
import {
  advanceTime,
  get,
  locationOf,
  post,
  register,
  requireText,
  signIn,
  startSimulator,
  withQuery,
} from '../simulator.ts'

const redirectUri = 'http://localhost:9/callback'
const client = { client_id: '1234567890', client_secret: 'app-secret' }

let url: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
  url = simulator.url
  await register(url, { provider: 'social', ...client, redirect_uris: [redirectUri] })
})
afterAll(() => simulator[Symbol.asyncDispose]())
afterEach(async () => {
  await endScenarios(url)
})

const authorization = () =>
  withQuery(`${url}/social/v26.0/dialog/oauth`, {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    state: 's',
    scope: 'public_profile,email',
  })
const tokenEndpoint = () => `${url}/social/v26.0/oauth/access_token`
const me = (accessToken: string) => get(`${url}/social/v26.0/me?fields=id,name,email`, accessToken)

let users = 0
/** Each test has its own users: the consent of one may be revoked, or have a time of a changed clock. */
const newUser = () => `Person ${++users}`

async function logIn(user: string) {
  const code = requireText((await signIn(authorization(), { user })).searchParams.get('code'))
  const { json } = await post(tokenEndpoint(), { code, redirect_uri: redirectUri, ...client })
  return { access_token: requireText(json.access_token), expires_in: json.expires_in }
}

test('a denied login returns the provider’s own error', async () => {
  await startScenario(url, { scenario: 'deny', provider: 'social' })
  const { searchParams } = locationOf(await fetch(authorization(), { redirect: 'manual' }))
  expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', error_reason: 'user_denied' })
})

test('a user without an e-mail address has none, although it was allowed', async () => {
  const name = newUser()
  expect((await me((await logIn(name)).access_token)).json).toHaveProperty('email')
  await startScenario(url, { scenario: 'no_email', name })
  expect((await me((await logIn(name)).access_token)).json).toEqual({ id: expect.any(String), name })
})

test.each(['revoked', 'account_deleted'])('%s: the application counts as removed', async (scenario) => {
  const name = newUser()
  const [{ access_token }, other] = [await logIn(name), await logIn(newUser())]
  await startScenario(url, { scenario, name })
  expect(await me(access_token)).toMatchObject({ status: 400, json: { error: { code: 190, error_subcode: 458 } } })
  expect((await me(other.access_token)).status).toBe(200)
})

test('a new login after the consent was revoked returns a valid token', async () => {
  const name = newUser()
  await logIn(name)
  await startScenario(url, { scenario: 'revoked', name })
  advanceTime(1)
  expect((await me((await logIn(name)).access_token)).status).toBe(200)
})

test('short-lived access tokens expire after expires_in, also exchanged ones', async () => {
  const name = newUser()
  await startScenario(url, { scenario: 'short_access_tokens', name, seconds: 20 })
  const { access_token, expires_in } = await logIn(name)
  const exchange = { grant_type: 'fb_exchange_token', fb_exchange_token: access_token, ...client }
  const exchanged = (await post(tokenEndpoint(), exchange)).json
  expect([expires_in, exchanged.expires_in]).toEqual([20, 20])
  advanceTime(21)
  expect(await me(requireText(exchanged.access_token))).toMatchObject({
    json: { error: { code: 190, error_subcode: 463 } },
  })
})

test('its endpoints for servers fail; its pages for end users work', async () => {
  await startScenario(url, { scenario: 'unavailable', provider: 'social' })
  const statuses = ['/v26.0/me', '/v26.0/oauth/access_token', '/settings'].map(
    async (path) => (await fetch(`${url}/social${path}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([503, 503, 200])
  expect((await fetch(authorization())).status).toBe(200)
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { openForTest, seedSite } from '#testing'
import { createCaller, errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, linkWith, logInAs, setStage } from '../stage.ts'

const stage = setStage()
const Issued = z.strictObject({
  status: z.literal('ok'),
  token: z.strictObject({ token: z.string().max(40), expired_at: z.string() }),
  authenticate_uri: z.url().max(2_083),
})
const request = (identifier: string, targetProvider: string, init?: RequestInit) =>
  stage.web_api.get('association_token', { identifier, target_provider: targetProvider }, init)
const issue = async (identifier: string) => Issued.parse((await request(identifier, 'search')).body)

test('200 with a token that is valid for half an hour and a URL at which the end user’s browser links the provider', async () => {
  const identifier = await logInAs(stage, 'Hanako Yamada')
  const { token, authenticate_uri } = await issue(identifier)
  const lifeMs = Date.parse(token.expired_at) - Date.now()
  expect(lifeMs).toBeGreaterThan(1_790_000)
  expect(lifeMs).toBeLessThanOrEqual(1_800_000)
  const callback = await linkWith(authenticate_uri, stage, 'Hanako Yamada')
  expect(callback.get('status')).toBe('authorized')
  const { body } = await stage.web_api.get('providers_of_user', { identifier })
  expect(body).toEqual({ status: 'ok', providers: ['messaging', 'search'] })
  const { body: authenticated } = await stage.web_api.get('authenticated_user', { token: callback.get('token') ?? '' })
  expect(authenticated).toMatchObject({ user: { identifier } })
})

test('200 with another token each time; the earlier one links nothing', async () => {
  const identifier = await logInAs(stage, 'Taro Tanaka')
  const earlier = await issue(identifier)
  const later = await issue(identifier)
  expect(later.token.token).not.toBe(earlier.token.token)
  await expect(linkWith(earlier.authenticate_uri, stage, 'Taro Tanaka')).rejects.toThrow()
  expect((await linkWith(later.authenticate_uri, stage, 'Taro Tanaka')).get('status')).toBe('authorized')
})

test('200 with the same token for a repeat with the same Idempotency-Key, which leaves it valid', async () => {
  const identifier = await logInAs(stage, 'Goro Abe')
  const init = { headers: { 'idempotency-key': 'token for Goro' } }
  const first = Issued.parse((await request(identifier, 'search', init)).body)
  expect(Issued.parse((await request(identifier, 'search', init)).body)).toEqual(first)
  expect((await linkWith(first.authenticate_uri, stage, 'Goro Abe')).get('status')).toBe('authorized')
})

test('409/15 if the provider is already linked; the earlier token stays valid', async () => {
  const identifier = await logInAs(stage, 'Saburo Ito')
  const { authenticate_uri } = await issue(identifier)
  expect(await request(identifier, 'messaging')).toMatchObject(errorResponses.provider_already_linked)
  expect((await linkWith(authenticate_uri, stage, 'Saburo Ito')).get('status')).toBe('authorized')
  expect(await request(identifier, 'search')).toMatchObject(errorResponses.provider_already_linked)
})

test.each(['shopping', 'search_legacy'])('400/11 for a provider that cannot be set up: %s', async (targetProvider) => {
  const identifier = await createTestUser(stage.web_api)
  expect(await request(identifier, targetProvider)).toMatchObject(errorResponses.provider_settings_incomplete)
})

test('400/11 when the site has no settings of the provider', async () => {
  const { serviceStack } = stage
  const { site, api_key } = await seedSite(serviceStack)
  await using database = openForTest(serviceStack.database_urls.provider_auth)
  await database.knex('provider_settings').where({ site, provider: 'device' }).delete()
  const webApi = createCaller(serviceStack.web_api, api_key)
  const parameters = { identifier: await createTestUser(webApi), target_provider: 'device' }
  expect(await webApi.get('association_token', parameters)).toMatchObject(errorResponses.provider_settings_incomplete)
})

test('400/5, 400/6, 404/7 and 400/11 in this order', async () => {
  expect(await stage.web_api.get('association_token', { target_provider: 'nowhere' })).toMatchObject(
    errorResponses.parameter_missing,
  )
  expect(await stage.web_api.get('association_token', { identifier: 'é' })).toMatchObject(
    errorResponses.parameter_missing,
  )
  for (const wrong of ['nowhere', 'Search', 'search,portal', 'search,'])
    expect(await request(unknownIdentifier, wrong)).toMatchObject(errorResponses.invalid_parameter)
  expect(await request(unknownIdentifier, 'portal')).toMatchObject(errorResponses.entity_not_found)
})

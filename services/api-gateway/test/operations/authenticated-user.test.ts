import { expect, test } from 'vitest'
import { openForTest, seedSite } from '#testing'
import { fetchOneTimeToken } from '../../../provider-auth/test/browser.ts'
import { createCaller, errorResponses } from '../caller.ts'
import { setStage } from '../stage.ts'

const stage = setStage()
const logIn = (user: string) => fetchOneTimeToken(stage.serviceStack, stage.site, { user })
const request = (parameters: Record<string, string>) => stage.web_api.get('authenticated_user', parameters)

interface UserBody {
  user: { identifier: string }
}

test('200 with the user who logged in, as in user_attribute', async () => {
  const { status, body } = await request({ token: await logIn('Hanako Yamada') })
  expect(status).toBe(200)
  expect(Object.keys(body as object)).toEqual(['status', 'user'])
  const { identifier } = (body as UserBody).user
  const { body: attributes } = await stage.web_api.get('user_attribute', { identifier })
  expect((body as UserBody).user).toEqual((attributes as UserBody).user)
})

test('200 with add_profile: as in profile', async () => {
  const { body } = await request({ token: await logIn('Taro Tanaka'), add_profile: 'true' })
  const { identifier } = (body as UserBody).user
  expect(body).toEqual((await stage.web_api.get('profile', { identifier })).body)
  expect(body).toMatchObject({ profile: { user_name: 'Taro Tanaka' } })
})

test('200 with delete_profile: returned once more, then deleted, but not prohibited', async () => {
  const token = await logIn('Jiro Sato')
  const { body } = await request({ token, add_profile: 'y', delete_profile: 'y' })
  expect(body).toMatchObject({ profile: { user_name: 'Jiro Sato' } })
  const { identifier } = (body as UserBody).user
  const { body: after } = await stage.web_api.get('profile', { identifier })
  expect(after).toMatchObject({ user: { profile_prohibited: false }, profile: { user_name: null }, email: [] })
})

test('404/4 for a token that was used; 200 for a repeat with the same Idempotency-Key', async () => {
  const token = await logIn('Saburo Ito')
  const init = { headers: { 'idempotency-key': 'login of Saburo' } }
  const first = await stage.web_api.get('authenticated_user', { token }, init)
  expect(first).toMatchObject({ status: 200 })
  expect((await stage.web_api.get('authenticated_user', { token }, init)).body).toEqual(first.body)
  expect(await request({ token })).toMatchObject(errorResponses.invalid_authentication_token)
})

test('200 with preserve_token: the token stays valid, until it is used without', async () => {
  const token = await logIn('Rokuro Mori')
  const first = await request({ token, preserve_token: 'true' })
  expect(first).toMatchObject({ status: 200 })
  expect((await request({ token, preserve_token: 'y' })).body).toEqual(first.body)
  expect((await request({ token })).body).toEqual(first.body)
  expect(await request({ token })).toMatchObject(errorResponses.invalid_authentication_token)
  expect(await request({ token, preserve_token: 'true' })).toMatchObject(errorResponses.invalid_authentication_token)
})

test('a value that is not true does not preserve the token', async () => {
  const token = await logIn('Shichiro Endo')
  expect(await request({ token, preserve_token: '1' })).toMatchObject({ status: 200 })
  expect(await request({ token, preserve_token: 'true' })).toMatchObject(errorResponses.invalid_authentication_token)
})

test('a preserved token ends with its user, and is not preserved beyond its expiry', async () => {
  const token = await logIn('Hachiro Ono')
  const { body } = await request({ token, preserve_token: 'true' })
  await using database = openForTest(stage.serviceStack.database_urls.provider_auth)
  const tokens = database.knex('one_time_tokens').where({ site: stage.site.site })
  const { identifier } = (body as UserBody).user
  await tokens.where({ identifier }).update({ expires_at: database.knex.raw("now() - interval '1 second'") })
  expect(await request({ token, preserve_token: 'true' })).toMatchObject(errorResponses.invalid_authentication_token)

  const later = await logIn('Hachiro Ono')
  expect(await request({ token: later, preserve_token: 'true' })).toMatchObject({ status: 200 })
  await stage.web_api.get('delete_user', { identifier })
  expect(await request({ token: later, preserve_token: 'true' })).toMatchObject(
    errorResponses.invalid_authentication_token,
  )
})

test('of two concurrent requests with one token, one gets the user', async () => {
  const token = await logIn('Shiro Kato')
  const responses = await Promise.all([request({ token }), request({ token })])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('404/4 for another site’s token, which stays valid; for an unknown one; and when the user was deleted', async () => {
  const token = await logIn('Goro Abe')
  const other = await seedSite(stage.serviceStack)
  const stranger = createCaller(stage.serviceStack.web_api, other.api_key)
  expect(await stranger.get('authenticated_user', { token })).toMatchObject(errorResponses.invalid_authentication_token)
  for (const unknown of ['x', `${token}x`, 'あ', '__proto__', 'x'.repeat(255)])
    expect(await request({ token: unknown })).toMatchObject(errorResponses.invalid_authentication_token)
  const { body } = await request({ token })
  expect(body).toMatchObject({ status: 'ok' })

  const later = await logIn('Goro Abe')
  await stage.web_api.get('delete_user', { identifier: (body as UserBody).user.identifier })
  expect(await request({ token: later })).toMatchObject(errorResponses.invalid_authentication_token)
})

test('400/5 without a token, 400/6 for a malformed one', async () => {
  expect(await request({ add_profile: 'y' })).toMatchObject(errorResponses.parameter_missing)
  expect(await request({ token: 'x'.repeat(256) })).toMatchObject(errorResponses.invalid_parameter)
})

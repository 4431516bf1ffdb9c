import { expect, test } from 'vitest'
import { seedSite } from '#testing'
import { fetchOneTimeToken } from '../../../provider-auth/test/browser.ts'
import { callerOf, refused } from '../caller.ts'
import { setStage } from '../stage.ts'

const stage = setStage()
const logIn = (user: string) => fetchOneTimeToken(stage.serviceStack, stage.site, { user })
const ask = (parameters: Record<string, string>) => stage.web_api.get('authenticated_user', parameters)

interface Told {
  user: { identifier: string }
}

test('200 with the user who logged in, as user_attribute tells it', async () => {
  const { status, body } = await ask({ token: await logIn('Hanako Yamada') })
  expect(status).toBe(200)
  expect(Object.keys(body as object)).toEqual(['status', 'user'])
  const { identifier } = (body as Told).user
  const { body: attributes } = await stage.web_api.get('user_attribute', { identifier })
  expect((body as Told).user).toEqual((attributes as Told).user)
})

test('200 with add_profile: as profile tells it', async () => {
  const { body } = await ask({ token: await logIn('Taro Tanaka'), add_profile: 'true' })
  const { identifier } = (body as Told).user
  expect(body).toEqual((await stage.web_api.get('profile', { identifier })).body)
  expect(body).toMatchObject({ profile: { user_name: 'Taro Tanaka' } })
})

test('200 with delete_profile: told once more, then gone, though not prohibited', async () => {
  const token = await logIn('Jiro Sato')
  const { body } = await ask({ token, add_profile: 'y', delete_profile: 'y' })
  expect(body).toMatchObject({ profile: { user_name: 'Jiro Sato' } })
  const { identifier } = (body as Told).user
  const { body: after } = await stage.web_api.get('profile', { identifier })
  expect(after).toMatchObject({ user: { profile_prohibited: false }, profile: { user_name: null }, email: [] })
})

test('404/4 for a token that was used; 200 for a repeat with the same Idempotency-Key', async () => {
  const token = await logIn('Saburo Ito')
  const init = { headers: { 'idempotency-key': 'login of Saburo' } }
  const first = await stage.web_api.get('authenticated_user', { token }, init)
  expect(first).toMatchObject({ status: 200 })
  expect((await stage.web_api.get('authenticated_user', { token }, init)).body).toEqual(first.body)
  expect(await ask({ token })).toMatchObject(refused.invalid_authentication_token)
})

test('of two at once with one token one is told the user', async () => {
  const token = await logIn('Shiro Kato')
  const answers = await Promise.all([ask({ token }), ask({ token })])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('404/4 for another site’s token, which stays valid; for an unknown one; and when the user was deleted', async () => {
  const token = await logIn('Goro Abe')
  const other = await seedSite(stage.serviceStack)
  const stranger = callerOf(stage.serviceStack.web_api, other.api_key)
  expect(await stranger.get('authenticated_user', { token })).toMatchObject(refused.invalid_authentication_token)
  for (const unknown of ['x', `${token}x`, 'あ', '__proto__', 'x'.repeat(255)])
    expect(await ask({ token: unknown })).toMatchObject(refused.invalid_authentication_token)
  const { body } = await ask({ token })
  expect(body).toMatchObject({ status: 'ok' })

  const later = await logIn('Goro Abe')
  await stage.web_api.get('delete_user', { identifier: (body as Told).user.identifier })
  expect(await ask({ token: later })).toMatchObject(refused.invalid_authentication_token)
})

test('400/5 without a token, 400/6 for one that cannot be one', async () => {
  expect(await ask({ add_profile: 'y' })).toMatchObject(refused.parameter_missing)
  expect(await ask({ token: 'x'.repeat(256) })).toMatchObject(refused.invalid_parameter)
})

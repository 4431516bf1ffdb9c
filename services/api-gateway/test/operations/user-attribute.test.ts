import { expect, test } from 'vitest'
import { z } from 'zod'
import { openForTest, readLinkData, seedSite } from '#testing'
import { createCaller, errorResponses } from '../caller.ts'
import { secretPattern, timestampPattern, unknownIdentifier } from '../patterns.ts'
import { createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()
const Shown = z.object({ access_token: z.string(), refresh_token: z.string().nullable(), expires_at: z.string() })

test('200 with every field of the user and of the messaging credential after a login', async () => {
  const identifier = await logInAs(stage, 'Hanako Yamada')
  const { status, body } = await stage.web_api.get('user_attribute', { identifier })
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'ok',
    user: {
      identifier,
      primary_key: null,
      mapped_at: null,
      last_logged_in_at: timestampPattern,
      last_logged_in_provider: 'messaging',
      login_count: 1,
      created_at: timestampPattern,
      profile_prohibited: false,
    },
    providers: {
      messaging: {
        messaging_id: expect.stringMatching(/^U[0-9a-f]{32}$/),
        access_token: secretPattern,
        refresh_token: secretPattern,
        expires_at: timestampPattern,
        friendship_status: expect.any(Boolean),
        friendship_status_updated_at: timestampPattern,
        friendship_updated_at: null,
        created_at: timestampPattern,
        updated_at: timestampPattern,
      },
    },
  })
})

test('200 with every field of the search credential after a login', async () => {
  const identifier = await logInAs(stage, 'Hanako Yamada', 'search')
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  expect(body).toMatchObject({ user: { last_logged_in_provider: 'search' } })
  expect((body as { providers: unknown }).providers).toEqual({
    search: {
      search_id: expect.stringMatching(/^\d+$/),
      access_token: secretPattern,
      refresh_token: expect.toSatisfy((token) => token === null || typeof token === 'string'),
      expires_at: timestampPattern,
      friendship_updated_at: null,
      created_at: timestampPattern,
      updated_at: timestampPattern,
    },
  })
})

test('200 with every field of the portal credential after a login', async () => {
  const identifier = await logInAs(stage, 'Hanako Yamada', 'portal')
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  expect(body).toMatchObject({ user: { last_logged_in_provider: 'portal' } })
  expect((body as { providers: unknown }).providers).toEqual({
    portal: {
      portal_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      access_token: secretPattern,
      access_token_secret: null,
      refresh_token: secretPattern,
      session_handle: null,
      expires_at: timestampPattern,
      handle_expires_at: null,
      client_access_token: null,
      client_refresh_token: null,
      client_expires_at: null,
      friendship_updated_at: null,
      created_at: timestampPattern,
      updated_at: timestampPattern,
    },
  })
})

test('200 with every field of the social credential after a login', async () => {
  const identifier = await logInAs(stage, 'Hanako Yamada', 'social')
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  expect(body).toMatchObject({ user: { last_logged_in_provider: 'social' } })
  expect((body as { providers: unknown }).providers).toEqual({
    social: {
      social_id: expect.stringMatching(/^\d+$/),
      access_token: secretPattern,
      expires_at: timestampPattern,
      friendship_updated_at: null,
      created_at: timestampPattern,
      updated_at: timestampPattern,
    },
  })
})

test('200 with every field of the microblog credential after a login: with a secret and without expiry', async () => {
  const identifier = await logInAs(stage, 'Hanako Yamada', 'microblog')
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  expect(body).toMatchObject({ user: { last_logged_in_provider: 'microblog' } })
  expect((body as { providers: unknown }).providers).toEqual({
    microblog: {
      microblog_id: expect.stringMatching(/^\d{19}$/),
      access_token: secretPattern,
      access_secret: secretPattern,
      expires_at: null,
      client_access_token: null,
      client_access_secret: null,
      client_expires_at: null,
      friendship_updated_at: null,
      created_at: timestampPattern,
      updated_at: timestampPattern,
    },
  })
})

test('200 with the microblog credential of a site with OAuth 2.0: no secret, no expiry', async () => {
  const { serviceStack } = stage
  const site = await seedSite(serviceStack, { microblog_protocol: 'oauth2' })
  const identifier = await logInAs({ serviceStack, site }, 'Hanako Yamada', 'microblog')
  const { body } = await createCaller(serviceStack.web_api, site.api_key).get('user_attribute', { identifier })
  expect((body as { providers: unknown }).providers).toMatchObject({
    microblog: { access_token: secretPattern, access_secret: null, expires_at: null },
  })
})

test.each(['messaging', 'portal', 'search'] as const)(
  '200 with a refreshed token that the provider accepts instead of an expired one: %s',
  async (provider) => {
    const identifier = await logInAs(stage, 'Goro Ito', provider)
    const request = async () => {
      const { body } = await stage.web_api.get('user_attribute', { identifier })
      return z.object({ providers: z.record(z.string(), Shown) }).parse(body).providers[provider]
    }
    const before = await request()
    await using database = openForTest(stage.serviceStack.database_urls.provider_auth)
    const { links } = await readLinkData(stage.serviceStack, { site: stage.site.site, identifier })
    const linkIds = links.map(({ link_id }) => link_id)
    await database
      .knex('credentials')
      .whereIn('link_id', linkIds)
      .update({ expires_at: new Date(0) })
    const renewed = await request()
    expect(renewed?.access_token).not.toBe(before?.access_token)
    expect(renewed?.refresh_token).toBe(before?.refresh_token)
    expect(Date.parse(renewed?.expires_at ?? '')).toBeGreaterThan(Date.now() + 1_800_000)
    expect(await request()).toEqual(renewed)

    const userinfo = {
      messaging: '/messaging/oauth2/v2.1/userinfo',
      portal: '/portal/yconnect/v2/attribute',
      search: '/search/v1/userinfo',
    }
    const headers = { authorization: `Bearer ${renewed?.access_token}` }
    expect((await fetch(stage.serviceStack.simulator + userinfo[provider], { headers })).status).toBe(200)
  },
)

test('200: a second login increments the count of the same user', async () => {
  const identifier = await logInAs(stage, 'Shiro Kato')
  expect(await logInAs(stage, 'Shiro Kato')).toBe(identifier)
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  expect(body).toMatchObject({ user: { login_count: 2 } })
})

test('200 with nulls for a link whose account never logged in, and no providers without links', async () => {
  const identifier = await createTestUser(stage.web_api, { 'provider_user_ids[messaging]': 'U-never' })
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  const { user, providers } = body as { user: { created_at: string }; providers: unknown }
  expect(user).toMatchObject({ last_logged_in_at: null, last_logged_in_provider: null, login_count: 0 })
  expect(providers).toEqual({
    messaging: {
      messaging_id: 'U-never',
      access_token: null,
      refresh_token: null,
      expires_at: null,
      friendship_status: null,
      friendship_status_updated_at: null,
      friendship_updated_at: null,
      created_at: user.created_at,
      updated_at: user.created_at,
    },
  })

  const bare = await createTestUser(stage.web_api)
  expect((await stage.web_api.post('user_attribute', { identifier: bare })).body).toMatchObject({ providers: {} })
})

test('200: profile_prohibited is true if storing profile data is prohibited', async () => {
  const identifier = await createTestUser(stage.web_api)
  const { profile, call } = stage.serviceStack
  await profile.deleteProfile({ site: stage.site.site, identifier, link_ids: [], prohibit: true }, call())
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  expect(body).toMatchObject({ user: { profile_prohibited: true } })
})

test('200 if identifier and primary_key belong to the same user, else 400/6', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'both' })
  const other = await createTestUser(stage.web_api, { primary_key: 'other' })
  const request = (parameters: Record<string, string>) => stage.web_api.get('user_attribute', parameters)
  expect(await request({ identifier, primary_key: 'both' })).toMatchObject({
    status: 200,
    body: { user: { identifier } },
  })
  expect(await request({ identifier: other, primary_key: 'both' })).toMatchObject(errorResponses.invalid_parameter)
})

test('400/5 without a user', async () => {
  expect(await stage.web_api.get('user_attribute')).toMatchObject(errorResponses.parameter_missing)
  expect(await stage.web_api.get('user_attribute', { identifier: '' })).toMatchObject(errorResponses.parameter_missing)
})

test('400/6 for a malformed ID', async () => {
  const request = (parameters: Record<string, string>) => stage.web_api.get('user_attribute', parameters)
  expect(await request({ identifier: 'x'.repeat(41) })).toMatchObject(errorResponses.invalid_parameter)
  expect(await request({ identifier: 'あ' })).toMatchObject(errorResponses.invalid_parameter)
  expect(await request({ primary_key: 'x'.repeat(256) })).toMatchObject(errorResponses.invalid_parameter)
})

test('404/7 for unknown users with unusual IDs', async () => {
  const request = (parameters: Record<string, string>) => stage.web_api.get('user_attribute', parameters)
  for (const identifier of [unknownIdentifier, 'x', '*', '>', "';--", '$(id)', '../..', '{"a":1}'])
    expect(await request({ identifier })).toMatchObject(errorResponses.entity_not_found)
  expect(await request({ primary_key: 'unknown' })).toMatchObject(errorResponses.entity_not_found)
})

test('404/7 for another site’s user, the same as for an unknown one', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'mine' })
  const other = await seedSite(stage.serviceStack)
  const stranger = createCaller(stage.serviceStack.web_api, other.api_key)
  expect(await stranger.get('user_attribute', { identifier })).toMatchObject(errorResponses.entity_not_found)
  expect(await stranger.get('user_attribute', { primary_key: 'mine' })).toMatchObject(errorResponses.entity_not_found)
})

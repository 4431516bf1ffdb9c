import { expect, test } from 'vitest'
import type { Provider } from '#contracts'
import { passClockSteps, readLinkData } from '#testing'
import { errorResponses } from './caller.ts'
import { createTestUser, linkWith, logInAs, logInAtBoth, setStage } from './stage.ts'

/** Tests each row of the specification's "States and transitions" over HTTP, and then the state of every service. */
const stage = setStage()

const done = { status: 200, body: { status: 'ok' } }

/** The data of a user in every service; `user` is undefined if identity has none. */
async function everywhere(identifier: string) {
  const { identity, profile, call } = stage.serviceStack
  const subject = { site: stage.site.site, identifier }
  const resolved = await identity.resolveUser(subject, call()).catch(() => undefined)
  const [combined, { links, data, credentials, friend }] = await Promise.all([
    profile.readProfile(subject, call()),
    readLinkData(stage.serviceStack, subject, resolved === undefined ? [] : undefined),
  ])
  return {
    user: resolved?.user,
    linked: links.map(({ provider }): Provider => provider).sort(),
    credentials: Object.keys(credentials).sort(),
    provider_data: Object.keys(data).sort(),
    names: [combined.profile.user_name, combined.profile.full_name],
    emails: combined.email.map(({ media_id }) => media_id).sort(),
    prohibited: combined.profile_prohibited,
    friendship_status: friend?.friendship_status ?? null,
  }
}

const nothing = {
  linked: [],
  credentials: [],
  provider_data: [],
  names: [null, null],
  emails: [],
  prohibited: false,
  friendship_status: null,
}

test('200 create_user, absent: the user exists with its mapping and links, and no profile data', async () => {
  const identifier = await createTestUser(stage.web_api, {
    primary_key: 'state-created',
    'provider_user_ids[messaging]': 'U-state-created',
    'provider_user_ids[shopping]': 'not configured',
  })
  expect(await everywhere(identifier)).toEqual({
    ...nothing,
    user: expect.objectContaining({ primary_key: 'state-created', login_count: 0 }),
    linked: ['messaging'],
  })
})

test('200 delete_user, exists: no service has data; a later login creates a new user', async () => {
  const identifier = await logInAtBoth(stage, 'Hanako Yamada')
  expect(await everywhere(identifier)).toMatchObject({
    linked: ['messaging', 'search'],
    credentials: ['messaging', 'search'],
  })
  expect(await stage.web_api.get('delete_user', { identifier })).toMatchObject(done)
  expect(await everywhere(identifier)).toEqual({ ...nothing, user: undefined })
  expect(await logInAs(stage, 'Hanako Yamada')).not.toBe(identifier)
})

test('200 merge_user, exists: the source has no data; the destination has the data of both and a recombined profile', async () => {
  const source = await logInAs(stage, 'Taro Tanaka', 'search')
  const destination = await logInAs(stage, 'Taro Tanaka', 'messaging')
  const merge = { source_identifier: source, dest_identifier: destination }
  expect(await stage.web_api.get('merge_user', merge)).toMatchObject(done)
  expect(await everywhere(source)).toEqual({ ...nothing, user: undefined })
  expect(await everywhere(destination)).toMatchObject({
    linked: ['messaging', 'search'],
    credentials: ['messaging', 'search'],
    provider_data: ['messaging', 'search'],
    names: ['Taro Tanaka', 'Taro Tanaka'],
    friendship_status: expect.any(Boolean),
  })
})

test('200 merge_user with nomerge: the destination’s profile is not recombined', async () => {
  const source = await logInAs(stage, 'Jiro Sato', 'search')
  const destination = await logInAs(stage, 'Jiro Sato', 'messaging')
  const merge = { source_identifier: source, dest_identifier: destination, nomerge: 'true' }
  expect(await stage.web_api.get('merge_user', merge)).toMatchObject(done)
  expect(await everywhere(source)).toEqual({ ...nothing, user: undefined })
  expect(await everywhere(destination)).toMatchObject({
    provider_data: ['messaging', 'search'],
    names: ['Jiro Sato', null],
    emails: ['messaging'],
  })
})

test('200 map, unmapped: mapped', async () => {
  const identifier = await createTestUser(stage.web_api)
  expect(await stage.web_api.get('map', { identifier, primary_key: 'state-1' })).toMatchObject(done)
  expect(await everywhere(identifier)).toMatchObject({
    user: { primary_key: 'state-1', mapped_at: expect.any(String) },
  })
})

test('403/8 map, mapped, without overwrite: unchanged', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'state-2' })
  const result = await stage.web_api.get('map', { identifier, primary_key: 'state-3' })
  expect(result).toMatchObject(errorResponses.already_mapped)
  expect(await everywhere(identifier)).toMatchObject({ user: { primary_key: 'state-2' } })
})

test('200 map, mapped, with overwrite: mapped to the new value', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'state-4' })
  const change = { identifier, primary_key: 'state-5', overwrite: 'yes' }
  expect(await stage.web_api.get('map', change)).toMatchObject(done)
  expect(await everywhere(identifier)).toMatchObject({ user: { primary_key: 'state-5' } })
})

test('200 unmap, mapped: unmapped', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'state-6' })
  expect(await stage.web_api.get('unmap', { primary_key: 'state-6' })).toMatchObject(done)
  expect(await everywhere(identifier)).toMatchObject({ user: { primary_key: null, mapped_at: null } })
})

test('200 dissociate, linked: unlinked, its data deleted everywhere, the profile recombined; a later login creates a new user', async () => {
  const identifier = await logInAtBoth(stage, 'Saburo Ito')
  const unlink = { identifier, target_provider: 'messaging' }
  expect(await stage.web_api.get('dissociate', unlink)).toMatchObject({ body: { dissociated: ['messaging'] } })
  expect(await everywhere(identifier)).toMatchObject({
    linked: ['search'],
    credentials: ['search'],
    provider_data: ['search'],
    names: [null, 'Saburo Ito'],
    emails: ['search'],
    friendship_status: null,
  })
  expect(await logInAs(stage, 'Saburo Ito', 'messaging')).not.toBe(identifier)
})

test('200 dissociate with nomerge: the profile is not recombined', async () => {
  const identifier = await logInAtBoth(stage, 'Shiro Kato')
  const unlink = { identifier, target_provider: 'messaging', nomerge: 'y' }
  expect(await stage.web_api.get('dissociate', unlink)).toMatchObject({ status: 200 })
  expect(await everywhere(identifier)).toMatchObject({ provider_data: ['search'], names: ['Shiro Kato', 'Shiro Kato'] })
})

test('400/17 dissociate, the last provider, without nowarn: linked, unchanged everywhere', async () => {
  const identifier = await logInAs(stage, 'Goro Abe')
  const before = await everywhere(identifier)
  const unlink = { identifier, target_provider: 'messaging' }
  expect(await stage.web_api.get('dissociate', unlink)).toMatchObject(errorResponses.last_provider)
  expect(await everywhere(identifier)).toEqual(before)
})

test('200 association_token, unlinked: linked after the social login at its URL, with data and credential', async () => {
  const identifier = await logInAs(stage, 'Rokuro Ueda')
  const { body } = await stage.web_api.get('association_token', { identifier, target_provider: 'search' })
  await linkWith((body as { authenticate_uri: string }).authenticate_uri, stage, 'Rokuro Ueda')
  expect(await everywhere(identifier)).toMatchObject({
    user: { login_count: 1 },
    linked: ['messaging', 'search'],
    credentials: ['messaging', 'search'],
    provider_data: ['messaging', 'search'],
  })
})

test('200 delete_profile, allowed: prohibited; stored data is deleted, and none is stored afterwards', async () => {
  const identifier = await logInAs(stage, 'Ichiro Mori')
  expect(await stage.web_api.get('delete_profile', { identifier })).toMatchObject(done)
  const deleted = { provider_data: [], names: [null, null], emails: [], prohibited: true, linked: ['messaging'] }
  expect(await everywhere(identifier)).toMatchObject(deleted)
  await logInAs(stage, 'Ichiro Mori')
  expect(await everywhere(identifier)).toMatchObject({ ...deleted, user: { login_count: 2 } })
})

test.each([false, true])(
  '200 delete_profile with casual (prohibited: %s): unchanged; stored data is deleted',
  async (prohibited) => {
    const userName = `Casual ${prohibited}`
    const identifier = await logInAs(stage, userName)
    if (prohibited) await stage.web_api.get('delete_profile', { identifier })
    expect(await stage.web_api.get('delete_profile', { identifier, casual: 'true' })).toMatchObject(done)
    expect(await everywhere(identifier)).toMatchObject({ provider_data: [], names: [null, null], prohibited })
  },
)

test('200 grant_profile, prohibited: allowed; nothing is stored until the user logs in again', async () => {
  const identifier = await logInAs(stage, 'Yuki Mori')
  await stage.web_api.get('delete_profile', { identifier })
  expect(await stage.web_api.get('grant_profile', { identifier })).toMatchObject(done)
  expect(await everywhere(identifier)).toMatchObject({ provider_data: [], names: [null, null], prohibited: false })
  await passClockSteps()
  await logInAs(stage, 'Yuki Mori')
  expect(await everywhere(identifier)).toMatchObject({ provider_data: ['messaging'], names: ['Yuki Mori', null] })
})

test('200 profile with delete_profile, present: deleted after the response, fetched again at the next login', async () => {
  const identifier = await logInAs(stage, 'Aoi Hayashi')
  const { body } = await stage.web_api.get('profile', { identifier, delete_profile: 'true' })
  expect(body).toMatchObject({ profile: { user_name: 'Aoi Hayashi' } })
  expect(await everywhere(identifier)).toMatchObject({ provider_data: [], names: [null, null], prohibited: false })
  await passClockSteps()
  await logInAs(stage, 'Aoi Hayashi')
  expect(await everywhere(identifier)).toMatchObject({ names: ['Aoi Hayashi', null] })
})

test('200 association_token, issued: the earlier token links nothing, the new one does', async () => {
  const identifier = await logInAs(stage, 'Ren Kobayashi')
  const issue = async () => {
    const { body } = await stage.web_api.get('association_token', { identifier, target_provider: 'search' })
    return (body as { authenticate_uri: string }).authenticate_uri
  }
  const [earlier, later] = [await issue(), await issue()]
  await expect(linkWith(earlier, stage, 'Ren Kobayashi')).rejects.toThrow()
  expect(await everywhere(identifier)).toMatchObject({ linked: ['messaging'] })
  await linkWith(later, stage, 'Ren Kobayashi')
  expect(await everywhere(identifier)).toMatchObject({ linked: ['messaging', 'search'] })
})

import { expect, test } from 'vitest'
import { fetchOneTimeToken } from '../../../provider-auth/test/browser.ts'
import { expectEventData } from '../../../provider-auth/test/user-events.ts'
import { errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, setStage } from '../stage.ts'

const stage = setStage()
const done = { status: 200, body: { status: 'ok' } }
const readUser = async (identifier: string) =>
  (await stage.web_api.get('user_attribute', { identifier })).body as { user: Record<string, unknown> }

test('200: reads have blocked, writes work, and unblock_user removes it', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'blocked-1' })
  const { user: before } = await readUser(identifier)
  expect(Object.keys(before)).not.toContain('blocked')
  const until = '2100-01-01T00:00:00Z'
  expect(await stage.web_api.post('block_user', { primary_key: 'blocked-1', reason: 'Spam', until })).toMatchObject(
    done,
  )
  expect((await readUser(identifier)).user).toEqual({ ...before, blocked: true })
  expect(await stage.web_api.get('map', { identifier, primary_key: 'blocked-2', overwrite: 'true' })).toMatchObject(
    done,
  )
  expect((await stage.web_api.get('profile', { identifier })).body).toMatchObject({ user: { blocked: true } })

  // Changes the block: without an end.
  expect(await stage.web_api.post('block_user', { identifier })).toMatchObject(done)
  expect(await stage.web_api.post('unblock_user', { identifier })).toMatchObject(done)
  expect(await stage.web_api.post('unblock_user', { identifier })).toMatchObject(done)
  expect(Object.keys((await readUser(identifier)).user)).not.toContain('blocked')
  const subject = { site: stage.site.site, identifier }
  await expectEventData(stage.serviceStack, subject, 'user.blocked', [{ until }, { until: null }])
  await expectEventData(stage.serviceStack, subject, 'user.unblocked', [{}])
})

test('a repeat with the same Idempotency-Key does not block again', async () => {
  const identifier = await createTestUser(stage.web_api)
  const init = { headers: { 'idempotency-key': 'block once' } }
  expect(await stage.web_api.post('block_user', { identifier }, init)).toMatchObject(done)
  await stage.web_api.post('unblock_user', { identifier })
  expect(await stage.web_api.post('block_user', { identifier }, init)).toMatchObject(done)
  expect(Object.keys((await readUser(identifier)).user)).not.toContain('blocked')
})

test('a one-time token of a user who was blocked since is not accepted, also after the block', async () => {
  const token = await fetchOneTimeToken(stage.serviceStack, stage.site, { user: 'Blocked Taro' })
  const preserved = await stage.web_api.get('authenticated_user', { token, preserve_token: 'true' })
  const { identifier } = (preserved.body as { user: { identifier: string } }).user
  await stage.web_api.post('block_user', { identifier })
  const redeem = () => stage.web_api.get('authenticated_user', { token, preserve_token: 'true' })
  expect(await redeem()).toMatchObject(errorResponses.invalid_authentication_token)
  await stage.web_api.post('unblock_user', { identifier })
  expect(await redeem()).toMatchObject(errorResponses.invalid_authentication_token)
})

test('404/7 for an unknown user, 400/6 for a time in the past or of another form', async () => {
  for (const operation of ['block_user', 'unblock_user'])
    expect(await stage.web_api.post(operation, { identifier: unknownIdentifier })).toMatchObject(
      errorResponses.entity_not_found,
    )
  const identifier = await createTestUser(stage.web_api)
  for (const [until, reason] of [
    ['2020-01-01T00:00:00Z', 'out_of_range'],
    ['tomorrow', 'wrong_format'],
  ] as const)
    expect(await stage.web_api.post('block_user', { identifier, until })).toMatchObject({
      status: 400,
      body: { error: { code: 6, reason, parameter: 'until' } },
    })
})

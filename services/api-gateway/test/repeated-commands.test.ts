import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openForTest } from '#testing'
import { fetchOneTimeToken } from '../../provider-auth/test/browser.ts'
import { errorResponses, type ParameterList } from './caller.ts'
import { createTestUser, logInAs, setStage } from './stage.ts'

const stage = setStage()

/** Sends the request with a new Idempotency-Key; returns how to repeat it. */
async function send(operation: string, parameters: ParameterList) {
  const options = { headers: { 'idempotency-key': randomUUID() } }
  const request = async () => {
    const { status, body } = await stage.web_api.get(operation, parameters, options)
    return { status, body }
  }
  const first = await request()
  expect(first).toMatchObject({ status: 200 })
  return { first, request }
}

/** The state after the gateways crashed before they stored the responses. */
async function forgetResponses() {
  await using identity = openForTest(stage.serviceStack.database_urls.identity)
  await identity
    .knex('stored_responses')
    .where({ site: stage.site.site })
    .update({ response: null, identifier: null, claimed_until: identity.knex.fn.now() })
}

const newKey = () => `key-${randomUUID()}`
const newAccount = () => ({ 'provider_user_ids[messaging]': `U-${randomUUID()}` })
const attributesOf = async (identifier: string) => (await stage.web_api.get('user_attribute', { identifier })).body

describe('a repeat after the first answer was lost has the answer of the first and no further effect', () => {
  test('delete_user: another user that got the primary_key meanwhile is not deleted', async () => {
    const primaryKey = newKey()
    await createTestUser(stage.web_api, { primary_key: primaryKey })
    const { first, request } = await send('delete_user', { primary_key: primaryKey })
    await forgetResponses()
    const next = await createTestUser(stage.web_api, { primary_key: primaryKey })
    expect(await request()).toEqual(first)
    expect(await attributesOf(next)).toMatchObject({ status: 'ok' })
  })

  test('unmap: another user that got the primary_key meanwhile remains mapped', async () => {
    const primaryKey = newKey()
    await createTestUser(stage.web_api, { primary_key: primaryKey })
    const { first, request } = await send('unmap', { primary_key: primaryKey })
    await forgetResponses()
    const next = await createTestUser(stage.web_api, { primary_key: primaryKey })
    expect(await request()).toEqual(first)
    expect(await attributesOf(next)).toMatchObject({ user: { primary_key: primaryKey } })
  })

  test('map: a later mapping is not overwritten', async () => {
    const [identifier, primaryKey, later] = [await createTestUser(stage.web_api), newKey(), newKey()]
    const { first, request } = await send('map', { identifier, primary_key: primaryKey, overwrite: 'y' })
    await forgetResponses()
    await stage.web_api.get('map', { identifier, primary_key: later, overwrite: 'y' })
    expect(await request()).toEqual(first)
    expect(await attributesOf(identifier)).toMatchObject({ user: { primary_key: later } })
  })

  test('update_metadata: a later change is not undone', async () => {
    const identifier = await createTestUser(stage.web_api)
    const { request } = await send('update_metadata', { identifier, app_metadata: '{"plan":"free"}' })
    await forgetResponses()
    await stage.web_api.post('update_metadata', { identifier, app_metadata: '{"plan":"premium"}' })
    const current = { app_metadata: { plan: 'premium' }, revision: 2 }
    expect(await request()).toMatchObject({ status: 200, body: current })
    expect((await stage.web_api.get('metadata', { identifier })).body).toMatchObject(current)
  })

  test('record_consents: a later answer is not undone', async () => {
    const identifier = await createTestUser(stage.web_api)
    const { request } = await send('record_consents', { identifier, accepted_documents: 'newsletter:1' })
    await forgetResponses()
    await stage.web_api.post('record_consents', { identifier, declined_documents: 'newsletter:1' })
    const current = { consents: [{ document: 'newsletter', version: 1, accepted: false }] }
    expect(await request()).toMatchObject({ status: 200, body: current })
    expect((await stage.web_api.get('consents', { identifier })).body).toMatchObject(current)
  })

  test('dissociate: the provider is not linked any more', async () => {
    const identifier = await createTestUser(stage.web_api, newAccount())
    const { first, request } = await send('dissociate', { identifier, target_provider: 'messaging', nowarn: 'y' })
    await forgetResponses()
    expect(await request()).toEqual(first)
    await stage.web_api.get('delete_user', { identifier })
    await forgetResponses()
    expect(await request()).toEqual(first)
  })

  test('merge_user: the source is gone, and a new user with its primary_key is not merged', async () => {
    const primaryKey = newKey()
    await createTestUser(stage.web_api, { primary_key: primaryKey })
    const destination = await createTestUser(stage.web_api, { primary_key: newKey() })
    const { first, request } = await send('merge_user', {
      source_primary_key: primaryKey,
      dest_identifier: destination,
    })
    await forgetResponses()
    expect(await request()).toEqual(first)
    await forgetResponses()
    const next = await createTestUser(stage.web_api, { primary_key: primaryKey })
    expect(await request()).toEqual(first)
    expect(await attributesOf(next)).toMatchObject({ status: 'ok' })
  })

  test('authenticated_user: the token is used by the first request only', async () => {
    const token = await fetchOneTimeToken(stage.serviceStack, stage.site, {
      provider: 'messaging',
      user: 'Taro Tanaka',
    })
    const { first, request } = await send('authenticated_user', { token })
    await forgetResponses()
    expect(await request()).toEqual(first)
    expect(await stage.web_api.get('authenticated_user', { token })).toMatchObject(
      errorResponses.invalid_authentication_token,
    )
  })

  test('delete_profile and grant_profile: a later change of the prohibition remains', async () => {
    const identifier = await logInAs(stage, 'Hanako Yamada')
    const isProhibited = async () => (await attributesOf(identifier)) as { user: { profile_prohibited: boolean } }
    const deletion = await send('delete_profile', { identifier })
    await forgetResponses()
    await stage.web_api.get('grant_profile', { identifier })
    expect(await deletion.request()).toEqual(deletion.first)
    expect(await isProhibited()).toMatchObject({ user: { profile_prohibited: false } })

    const grant = await send('grant_profile', { identifier })
    await forgetResponses()
    await stage.web_api.get('delete_profile', { identifier })
    expect(await grant.request()).toEqual(grant.first)
    expect(await isProhibited()).toMatchObject({ user: { profile_prohibited: true } })

    await stage.web_api.get('delete_user', { identifier })
    await forgetResponses()
    for (const { request, first } of [deletion, grant]) expect(await request()).toEqual(first)
  })
})

test('a request that was rejected is rejected again, even if its response was lost and it could now succeed', async () => {
  const primaryKey = newKey()
  const options = { headers: { 'idempotency-key': randomUUID() } }
  const request = () => stage.web_api.get('unmap', { primary_key: primaryKey }, options)
  expect(await request()).toMatchObject(errorResponses.entity_not_found)
  await forgetResponses()
  await createTestUser(stage.web_api, { primary_key: primaryKey })
  expect(await request()).toMatchObject(errorResponses.entity_not_found)
  expect(await stage.web_api.get('user_attribute', { primary_key: primaryKey })).toMatchObject({ status: 200 })
})

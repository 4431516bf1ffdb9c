import { expect, test } from 'vitest'
import { providerNames } from '#contracts'
import { hashSecret, newApiKey } from '#runtime'
import { seedSite } from '#testing'
import { resourcesOf } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { createCaller, errorResponses, sendRequest } from './caller.ts'
import { sendRawRequest } from './raw-request.ts'
import { createTestUser, setOwnStage } from './stage.ts'

const stage = setOwnStage({ gateways: 2 })

const everyOperation = operations.flatMap((operation) => resourcesOf(operation, providerNames()))

test.each(everyOperation)(
  '401/1 when %s is called without a key, with an empty, or an unknown one',
  async (operation) => {
    const address = `${stage.serviceStack.web_api}/${operation}`
    const shapedLikeOne = `sl_${'0'.repeat(33)}`
    expect(await sendRequest(address)).toMatchObject(errorResponses.invalid_api_key)
    expect(await sendRequest(`${address}?key=`)).toMatchObject(errorResponses.invalid_api_key)
    expect(await sendRequest(`${address}?key=${shapedLikeOne}`)).toMatchObject(errorResponses.invalid_api_key)
    expect(await sendRequest(address, { method: 'POST' })).toMatchObject(errorResponses.invalid_api_key)
  },
)

test('200 with the key in the query, escaped or not, in a form, as bearer token, or as X-API-Key', async () => {
  const { api_key } = stage.site
  const address = `${stage.serviceStack.web_api}/appinfo`
  const responses = [
    await sendRequest(`${address}?key=${api_key}`),
    await sendRequest(`${address}?key=${api_key.replace('sl_', 's%6C%5F')}`),
    await sendRequest(address, { method: 'POST', body: new URLSearchParams({ key: api_key }) }),
    await sendRequest(`${address}?key=${api_key}`, { method: 'POST' }),
    await sendRequest(address, { headers: { authorization: `Bearer ${api_key}` } }),
    await sendRequest(address, { headers: { authorization: `bearer ${api_key}` } }),
    await sendRequest(address, { headers: { 'x-api-key': api_key } }),
    await sendRequest(`${address}?key=`, { headers: { 'x-api-key': api_key } }),
    await sendRequest(address, { method: 'POST', headers: { 'x-api-key': api_key } }),
  ]
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
})

test('200 with the same key in several places, or with another kind of authorization', async () => {
  const { api_key } = stage.site
  const address = `${stage.serviceStack.web_api}/appinfo?key=${api_key}`
  expect(await sendRequest(address, { headers: { 'x-api-key': api_key } })).toMatchObject({ status: 200 })
  expect(await sendRequest(address, { headers: { authorization: `Bearer ${api_key}` } })).toMatchObject({ status: 200 })
  expect(await sendRequest(address, { headers: { authorization: 'Basic dTpw' } })).toMatchObject({ status: 200 })
  // As a proxy in front of the caller adds it.
  expect(await sendRequest(address, { headers: { authorization: 'Bearer eyJ.x.y' } })).toMatchObject({ status: 200 })
})

test('401/1 with different keys, even if each is active', async () => {
  const { api_key, site } = stage.site
  const { identity, call, web_api } = stage.serviceStack
  const { api_key: second } = await identity.issueApiKey({ site, name: 'second' }, call())
  const address = `${web_api}/appinfo?key=${api_key}`
  expect(await sendRequest(address, { headers: { 'x-api-key': second } })).toMatchObject(errorResponses.invalid_api_key)
  for (const bearer of [second, newApiKey()])
    expect(await sendRequest(address, { headers: { authorization: `Bearer ${bearer}` } })).toMatchObject(
      errorResponses.invalid_api_key,
    )
  const bearers = ['Host', 'localhost', 'Authorization', `Bearer ${api_key}`, 'Authorization', `Bearer ${second}`]
  expect(await sendRawRequest(web_api, { path: '/api/appinfo', headers: bearers })).toMatchObject(
    errorResponses.invalid_api_key,
  )
})

test('401/1 when key is repeated, even with the same value or an empty one', async () => {
  const { api_key } = stage.site
  const address = `${stage.serviceStack.web_api}/appinfo?key=${api_key}`
  expect(await sendRequest(`${address}&key=${api_key}`)).toMatchObject(errorResponses.invalid_api_key)
  expect(await sendRequest(`${address}&key=`)).toMatchObject(errorResponses.invalid_api_key)
  const form = new URLSearchParams({ key: api_key })
  expect(await sendRequest(address, { method: 'POST', body: form })).toMatchObject(errorResponses.invalid_api_key)
})

test.each(['lower case', 'a space after it', 'its hash', 'its last character missing'])(
  '401/1 for an active key in another form: %s',
  async (form) => {
    const { api_key } = stage.site
    const key = {
      'lower case': api_key.toLowerCase(),
      'a space after it': `${api_key}+`,
      'its hash': hashSecret(api_key),
      'its last character missing': api_key.slice(0, -1),
    }[form]
    expect(await sendRequest(`${stage.serviceStack.web_api}/appinfo?key=${key}`)).toMatchObject(
      errorResponses.invalid_api_key,
    )
  },
)

test('every gateway rejects a revoked key within a second; the site’s other key still works', async () => {
  const { identity, call, gateways } = stage.serviceStack
  const msToRefusal = async () => {
    const site = await seedSite(stage.serviceStack)
    const { api_key: next } = await identity.issueApiKey({ site: site.site, name: 'next' }, call())
    await identity.revokeApiKey({ site: site.site, api_key_id: site.api_key_id }, call())
    const revokedAt = performance.now()
    for (const gateway of gateways) {
      await expect
        .poll(() => createCaller(gateway, site.api_key).get('appinfo'), { interval: 20 })
        .toMatchObject(errorResponses.invalid_api_key)
      expect(await createCaller(gateway, next).get('appinfo')).toMatchObject({ status: 200 })
    }
    return performance.now() - revokedAt
  }
  // The fastest of several runs, to exclude other load of the machine.
  expect(Math.min(await msToRefusal(), await msToRefusal(), await msToRefusal())).toBeLessThan(1_000)
})

test('404/7 at each operation for another site’s user, the same as for an unknown one', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'owned' })
  const other = await seedSite(stage.serviceStack)
  const stranger = createCaller(stage.serviceStack.web_api, other.api_key)
  for (const operation of ['user_attribute', 'profile', 'providers_of_user', 'unmap', 'delete_user']) {
    expect(await stranger.get(operation, { identifier })).toMatchObject(errorResponses.entity_not_found)
    expect(await stranger.get(operation, { primary_key: 'owned' })).toMatchObject(errorResponses.entity_not_found)
  }
  expect(await stranger.get('map', { identifier, primary_key: 'stolen' })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await stranger.get('users')).toMatchObject({ body: { users: [], total: 0 } })
  expect(await stage.web_api.get('user_attribute', { identifier })).toMatchObject({
    status: 200,
    body: { user: { primary_key: 'owned' } },
  })
})

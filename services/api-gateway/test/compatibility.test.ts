import { expect, test } from 'vitest'
import { seedSite, waitFor } from '#testing'
import { createCaller, errorResponses } from './caller.ts'
import { setStage } from './stage.ts'

const stage = setStage()

test('short_errors: errors of the site contain code and message only, also by its address', async () => {
  const { identity, call, web_api } = stage.serviceStack
  const { site, api_key } = await seedSite(stage.serviceStack)
  const caller = createCaller(web_api, api_key)
  const members = { parameter: 'identifier', reason: 'user_missing', documentation: expect.any(String) }
  const { body } = errorResponses.parameter_missing
  const whole = { ...body, error: { ...body.error, ...members } }
  expect(await caller.get('profile')).toMatchObject({ status: 400, body: whole })
  await identity.changeSite({ site, compatibility: ['short_errors'] }, call())
  await waitFor(async () => expect((await caller.get('profile')).body).toEqual(body))
  expect((await caller.get('map', { identifier: 'unknown' })).body).toEqual(body)
  const unknown = await caller.get('user_attribute', { identifier: 'a'.repeat(40) })
  expect(unknown.body).toEqual(errorResponses.entity_not_found.body)
  await identity.changeSite({ site, allowed_addresses: ['192.0.2.7'] }, call())
  await waitFor(async () => expect((await caller.get('appinfo')).body).toEqual(errorResponses.address_not_allowed.body))
  // Other sites are unaffected.
  expect((await stage.web_api.get('profile')).body).toMatchObject(whole)
})

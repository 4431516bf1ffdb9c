import { describe, expect, test } from 'vitest'
import { passClockSteps } from '#testing'
import { errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()
const done = { status: 200, body: { status: 'ok' } }

/** Whether storing is prohibited, and the name that is stored. */
async function stored(identifier: string): Promise<{ prohibited: boolean; name: string | null }> {
  const { body } = await stage.web_api.get('profile', { identifier })
  const { user, profile } = body as {
    user: { profile_prohibited: boolean }
    profile: { user_name: string | null }
  }
  return { prohibited: user.profile_prohibited, name: profile.user_name }
}

describe('delete_profile', () => {
  test('200: stored data is deleted, and none is stored afterwards', async () => {
    const identifier = await logInAs(stage, 'Hanako Yamada')
    expect(await stored(identifier)).toEqual({ prohibited: false, name: 'Hanako Yamada' })
    const response = await stage.web_api.get('delete_profile', { identifier })
    expect(response.body).toEqual({ status: 'ok' })
    expect(await stored(identifier)).toEqual({ prohibited: true, name: null })
    expect(await logInAs(stage, 'Hanako Yamada')).toBe(identifier)
    expect(await stored(identifier)).toEqual({ prohibited: true, name: null })
    expect((await stage.web_api.get('user_attribute', { identifier })).body).toMatchObject({
      user: { profile_prohibited: true },
      providers: { messaging: {} },
    })
  })

  test('200 with casual: stored data is deleted; the next login stores it again', async () => {
    const identifier = await logInAs(stage, 'Jiro Sato')
    expect(await stage.web_api.get('delete_profile', { identifier, casual: 'y' })).toMatchObject(done)
    expect(await stored(identifier)).toEqual({ prohibited: false, name: null })
    await passClockSteps()
    await logInAs(stage, 'Jiro Sato')
    expect(await stored(identifier)).toEqual({ prohibited: false, name: 'Jiro Sato' })
  })

  test('200 with casual does not change a prohibition', async () => {
    const identifier = await createTestUser(stage.web_api)
    await stage.web_api.get('delete_profile', { identifier })
    expect(await stage.web_api.get('delete_profile', { identifier, casual: 'true' })).toMatchObject(done)
    expect(await stored(identifier)).toMatchObject({ prohibited: true })
  })

  test.each(['no', 'TRUE', '1', ''])('200 with casual=%j: storing is prohibited', async (casual) => {
    const identifier = await createTestUser(stage.web_api)
    await stage.web_api.get('delete_profile', { identifier, casual })
    expect(await stored(identifier)).toMatchObject({ prohibited: true })
  })
})

describe('grant_profile', () => {
  test('200: allowed again, but nothing is stored until the next login', async () => {
    const identifier = await logInAs(stage, 'Saburo Ito')
    await stage.web_api.get('delete_profile', { identifier })
    const response = await stage.web_api.get('grant_profile', { identifier })
    expect(response.body).toEqual({ status: 'ok' })
    expect(await stored(identifier)).toEqual({ prohibited: false, name: null })
    await passClockSteps()
    await logInAs(stage, 'Saburo Ito')
    expect(await stored(identifier)).toEqual({ prohibited: false, name: 'Saburo Ito' })
  })

  test('200 for a user whose profile was never prohibited: stored data remains', async () => {
    const identifier = await logInAs(stage, 'Goro Abe')
    expect(await stage.web_api.get('grant_profile', { identifier })).toMatchObject(done)
    expect(await stored(identifier)).toEqual({ prohibited: false, name: 'Goro Abe' })
  })
})

test.each(['delete_profile', 'grant_profile'])('404/7 and 400/5 at %s: unknown user, or none', async (operation) => {
  expect(await stage.web_api.get(operation, { identifier: unknownIdentifier })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await stage.web_api.get(operation)).toMatchObject(errorResponses.parameter_missing)
})

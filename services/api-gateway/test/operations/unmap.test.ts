import { expect, test } from 'vitest'
import { refused } from '../caller.ts'
import { nobody } from '../patterns.ts'
import { createUser, setStage } from '../stage.ts'

const stage = setStage()
const done = { status: 200, body: { status: 'ok' } }

test.each(['identifier', 'primary_key'])('200 by %s: the user stays, its primary_key denotes nobody', async (by) => {
  const primaryKey = `unmapped-by-${by}`
  const identifier = await createUser(stage.web_api, { primary_key: primaryKey })
  expect(await stage.web_api.get('unmap', { [by]: { identifier, primary_key: primaryKey }[by] ?? '' })).toMatchObject(
    done,
  )
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  expect(body).toMatchObject({ user: { identifier, primary_key: null, mapped_at: null } })
  expect(await stage.web_api.get('unmap', { primary_key: primaryKey })).toMatchObject(refused.entity_not_found)
})

test('200 when the user is not mapped', async () => {
  const identifier = await createUser(stage.web_api)
  expect(await stage.web_api.post('unmap', { identifier })).toMatchObject(done)
})

test('the freed value can be mapped to another user', async () => {
  const identifier = await createUser(stage.web_api, { primary_key: 'freed' })
  await stage.web_api.get('unmap', { identifier })
  const other = await createUser(stage.web_api)
  expect(await stage.web_api.get('map', { identifier: other, primary_key: 'freed' })).toMatchObject(done)
})

test('404/7 when there is no such user, 400/5 when none is named', async () => {
  expect(await stage.web_api.get('unmap', { identifier: nobody })).toMatchObject(refused.entity_not_found)
  expect(await stage.web_api.get('unmap')).toMatchObject(refused.parameter_missing)
})

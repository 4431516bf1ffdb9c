import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { UserSearchField } from '#contracts'
import { errorEnvelope } from '../caller.ts'
import { setStage } from '../stage.ts'

const stage = setStage()

async function switchOn(fields: UserSearchField[]) {
  const { profile, call } = stage.serviceStack
  const { site } = stage.site
  const { revision } = await profile.readUserSearch({ site }, call())
  await profile.changeUserSearch({ site, fields, expected_revision: revision }, call())
  await expect.poll(() => profile.readUserSearch({ site }, call())).toMatchObject({ indexing: null })
}

/** A user with a login who has this address and number. */
async function createUser(email: string, number: string) {
  const { identity, profile, call } = stage.serviceStack
  const { site } = stage.site
  const account = { provider: 'messaging', provider_user_id: randomUUID() } as const
  const { user, link_id, recorded_at } = await identity.recordLogin({ site, login: randomUUID(), ...account }, call())
  const phone = [{ number, verified: true, type: 'mobile' as const }]
  const data = { profile: {}, follow: null, email: [{ email, verified: true }], phone }
  const { identifier } = user
  await profile.recordProviderData(
    { site, identifier, link_id, provider: 'messaging', data, obtained_at: recorded_at },
    call(),
  )
  return identifier
}

test('users are found by exact addresses and numbers, once the site has switched them on', async () => {
  const email = `${randomUUID()}@example.com`
  const [one, other] = [await createUser(email, '+819012345678'), await createUser(email, '+819087654321')]
  const rejected = { error: { reason: 'field_not_indexed', parameter: 'email' } }
  const off = await stage.web_api.get('find_users', { email })
  expect(off).toMatchObject(errorEnvelope(400, 6, 'Invalid parameter.'))
  expect(off).toMatchObject({ body: rejected })
  await switchOn(['email', 'phone_number'])
  const both = await stage.web_api.get('find_users', { email: email.toUpperCase() })
  expect(both.body).toEqual({ status: 'ok', users: [one, other].sort().reverse(), more: false, indexing: false })
  expect((await stage.web_api.post('find_users', { phone_number: '090-8765-4321' })).body).toMatchObject({
    users: [other],
  })
  expect((await stage.web_api.get('find_users', { email, phone_number: '090-1234-5678' })).body).toMatchObject({
    users: [one],
  })
  expect((await stage.web_api.get('find_users', { email: 'unknown@example.com' })).body).toMatchObject({ users: [] })
})

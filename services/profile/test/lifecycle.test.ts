import { expect, test } from 'vitest'
import { countLockWaits } from '#testing'
import { newUser, startProfile } from './harness.ts'

test('a stopping service finishes accepted requests', async () => {
  await using harness = await startProfile()
  const { profile, call, knex, running } = harness
  const user = newUser()
  await profile.deleteProfile({ ...user, link_ids: [], prohibit: false }, call())

  const holding = await knex.transaction()
  await holding('profiles').where(user).forUpdate()
  const accepted = profile.deleteProfile({ ...user, link_ids: [], prohibit: true }, call())
  await expect.poll(() => countLockWaits(knex)).toBe(1)
  const stopping = running.stop()
  await holding.rollback()
  expect(await accepted).toEqual({})
  await stopping
  expect(await knex('profiles').where(user)).toMatchObject([{ prohibited: true }])
})

test('after an outage of NATS the service responds again, and stored data is not lost', async () => {
  await using harness = await startProfile()
  const { profile, call, nats } = harness
  const user = newUser()
  await profile.deleteProfile({ ...user, link_ids: [], prohibit: true }, call())
  await nats.stop()
  await nats.start()
  const request = () => profile.readProhibition(user, call()).catch((error: unknown) => error)
  await expect.poll(request).toEqual({ profile_prohibited: true })
})

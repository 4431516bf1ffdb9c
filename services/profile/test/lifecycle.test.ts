import { expect, test } from 'vitest'
import { newUser, startProfile } from './harness.ts'

test('a service that is told to stop answers what it has accepted', async () => {
  await using harness = await startProfile()
  const { profile, call, knex, running } = harness
  const user = newUser()
  await profile.deleteProfile({ ...user, link_ids: [], prohibit: false }, call())

  const holding = await knex.transaction()
  await holding('profiles').where(user).forUpdate()
  const asked = profile.deleteProfile({ ...user, link_ids: [], prohibit: true }, call())
  await expect
    .poll(() => knex('pg_stat_activity').where({ wait_event_type: 'Lock' }).whereRaw('datname = current_database()'), {
      timeout: 10_000,
    })
    .toHaveLength(1)
  const stopping = running.stop()
  await holding.rollback()
  expect(await asked).toEqual({})
  await stopping
  expect(await knex('profiles').where(user)).toMatchObject([{ prohibited: true }])
})

test('when NATS went away and came back the service answers again, and nothing that was stored is lost', async () => {
  await using harness = await startProfile()
  const { profile, call, nats } = harness
  const user = newUser()
  await profile.deleteProfile({ ...user, link_ids: [], prohibit: true }, call())
  await nats.stop()
  await nats.start()
  const ask = () => profile.readProhibition(user, call()).catch((error: unknown) => error)
  await expect.poll(ask, { timeout: 10_000 }).toEqual({ profile_prohibited: true })
})

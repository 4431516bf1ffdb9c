import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCall } from '#bus'
import { at, type Harness, never_told, newUser, startFriendship, tell } from './harness.ts'

let harness: Harness
let told: ReturnType<typeof tell>
beforeAll(async () => {
  harness = await startFriendship()
  told = tell(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

test('a status never told is null', async () => {
  expect(await told.read(newUser())).toEqual(never_told)
})

test('the latest status is kept, one that is older is ignored', async () => {
  const user = newUser()
  await told.record(user, true, 10)
  expect(await told.read(user)).toEqual({ friendship_status: true, friendship_status_updated_at: at(10) })
  await told.record(user, false, 20)
  await told.record(user, true, 15)
  expect(await told.read(user)).toEqual({ friendship_status: false, friendship_status_updated_at: at(20) })
  expect(await told.read({ ...user, site: 2 })).toEqual(never_told)
})

test('of many statuses at once the latest stays, in whatever order they arrive', async () => {
  const user = newUser()
  const times = [3, 19, 7, 1, 12, 18, 5, 16]
  await Promise.all(times.map((seconds) => told.record(user, seconds === 19, seconds)))
  expect(await told.read(user)).toEqual({ friendship_status: true, friendship_status_updated_at: at(19) })
})

test('of a forgotten user nothing is left and nothing is kept any more, known or not', async () => {
  const [known, unknown] = [newUser(), newUser()]
  await told.record(known, true, 10)
  for (const user of [known, unknown]) {
    await harness.friendship.forgetUser(user, newCall())
    await harness.friendship.forgetUser(user, newCall())
    await told.record(user, true, 30)
    expect(await told.read(user)).toEqual(never_told)
  }
})

test('when NATS went away and came back the service answers again, and nothing that was stored is lost', async () => {
  const user = newUser()
  await told.record(user, true, 10)
  await harness.nats.stop()
  await harness.nats.start()
  const ask = () => told.read(user).catch((error: unknown) => error)
  await expect.poll(ask, { timeout: 10_000 }).toMatchObject({ friendship_status: true })
})

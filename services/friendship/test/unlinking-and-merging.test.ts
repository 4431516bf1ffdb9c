import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCall } from '#bus'
import { at, type Harness, never_told, newUser, startFriendship, tell, type User } from './harness.ts'

let harness: Harness
let told: ReturnType<typeof tell>
beforeAll(async () => {
  harness = await startFriendship()
  told = tell(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

const three = (): [User, User, User] => [newUser(), newUser(), newUser()]
const friend = (seconds: number) => ({ friendship_status: true, friendship_status_updated_at: at(seconds) })

test('the status of an unlinked provider is gone and does not come back late', async () => {
  const user = newUser()
  await told.record(user, true, 10)
  await told.unlink(user, 20)
  await told.record(user, true, 15)
  await told.record(user, true, 20)
  expect(await told.read(user)).toEqual(never_told)
})

test('a status of a new link stays when the order to remove is late or repeated', async () => {
  const user = newUser()
  await told.unlink(user, 20)
  await told.record(user, true, 30)
  await told.unlink(user, 20)
  expect(await told.read(user)).toEqual(friend(30))
})

test("the source's status is the destination's if its account moved, and the source's is gone", async () => {
  const [a, b, c] = three()
  await told.record(a, true, 10)
  await told.merge(a, b, 30)
  expect(await told.read(b)).toEqual(friend(10))
  expect(await told.read(a)).toEqual(never_told)
  await told.merge(b, c, 40, false)
  expect(await told.read(c)).toEqual(never_told)
})

test("the destination's status stays when the source's account was unlinked before", async () => {
  const [a, b] = three()
  await told.record(a, false, 20)
  await told.record(b, true, 10)
  await told.merge(a, b, 30, false)
  await told.record(a, false, 25)
  expect(await told.read(b)).toEqual(friend(10))
})

test("a late order about the destination's earlier account leaves the status that moved", async () => {
  const [a, b] = three()
  await told.record(a, true, 10)
  await told.record(b, false, 15)
  await told.merge(a, b, 30)
  await told.unlink(b, 20)
  expect(await told.read(b)).toEqual(friend(10))
})

test('a status of the source that is told after the merge goes to the destination', async () => {
  const [a, b] = three()
  await told.merge(a, b, 30)
  await told.record(a, true, 20)
  expect(await told.read(b)).toEqual(friend(20))
  await told.unlink(b, 40)
  await told.record(a, true, 25)
  expect(await told.read(b)).toEqual(never_told)
})

test('merges told in the wrong order, several times and at once lose nothing and bring nobody back', async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b, c] = three()
    await told.record(a, true, 10)
    await Promise.all([told.merge(b, c, 40), told.merge(a, b, 30), told.merge(a, b, 30), told.record(a, true, 20)])
    expect(await told.read(c)).toEqual(friend(20))
    for (const user of [a, b]) expect(await told.read(user)).toEqual(never_told)
  }
})

test('when the destination was deleted meanwhile nothing is kept', async () => {
  const [a, b] = three()
  await told.record(a, true, 10)
  await harness.friendship.forgetUser(b, newCall())
  await told.merge(a, b, 30)
  await told.record(a, true, 20)
  for (const user of [a, b]) expect(await told.read(user)).toEqual(never_told)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, newUser, startProfile } from './harness.ts'
import { tell } from './told.ts'

let harness: Harness
let told: ReturnType<typeof tell>
beforeAll(async () => {
  harness = await startProfile()
  told = tell(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

const read = (user: ReturnType<typeof newUser>) => harness.profile.readProfile(user, harness.call())

test('what an unlinked provider supplied is gone, and the rest is combined anew', async () => {
  const user = newUser()
  await told.record(user, 'messaging', 10)
  await told.record(user, 'search', 20)
  await told.unlink(user, 'search', 30)
  expect(await told.names(user)).toEqual({ messaging: 'messaging' })
  expect((await read(user)).profile).toMatchObject({ full_name: 'messaging', update_count: 3 })
})

test('without rebuilding the combined profile stays until the next login', async () => {
  const user = newUser()
  await told.record(user, 'messaging', 10)
  await told.record(user, 'search', 20)
  const before = await read(user)
  await told.unlink(user, 'search', 30, false)
  expect(await told.names(user)).toEqual({ messaging: 'messaging' })
  expect(await read(user)).toEqual(before)
  await told.record(user, 'messaging', 40, 'again')
  expect(await told.combinedName(user)).toBe('again')
})

test('when no provider remains the profile is that of a user without data', async () => {
  const user = newUser()
  await told.record(user, 'messaging', 10)
  await told.unlink(user, 'messaging', 20)
  expect(await read(user)).toEqual(await read(newUser()))
})

test('what was supplied before the unlinking does not come back when it arrives after it', async () => {
  const user = newUser()
  await told.unlink(user, 'messaging', 20)
  await told.record(user, 'messaging', 10)
  await told.record(user, 'messaging', 20)
  expect(await told.names(user)).toEqual({})
})

test('what came after a new link stays when the order to remove is late or repeated, also within one second', async () => {
  const user = newUser()
  await told.record(user, 'messaging', 10, 'before')
  await told.record(user, 'messaging', 21, 'after')
  await told.unlink(user, 'messaging', 20)
  expect(await told.names(user)).toEqual({ messaging: 'after' })
  await told.unlink(user, 'messaging', 30)
  await told.record(user, 'messaging', 31, 'again')
  const before = await read(user)
  await told.unlink(user, 'messaging', 30)
  expect(await told.names(user)).toEqual({ messaging: 'again' })
  expect(await read(user)).toEqual(before)
})

test('an order that is repeated rebuilds once', async () => {
  const user = newUser()
  await told.record(user, 'messaging', 10)
  await told.record(user, 'search', 10)
  await Promise.all(Array.from({ length: 5 }, () => told.unlink(user, 'search', 20)))
  expect((await read(user)).profile.update_count).toBe(3)
})

test('a user who prohibits storing, or was forgotten, has nothing stored by an unlinking', async () => {
  const { profile, call, knex } = harness
  const [prohibiting, forgotten] = [newUser(), newUser()]
  await profile.deleteProfile({ ...prohibiting, prohibit: true }, call())
  await profile.forgetUser(forgotten, call())
  for (const user of [prohibiting, forgotten]) await told.unlink(user, 'messaging', 10)
  expect(await read(prohibiting)).toEqual({ ...(await read(newUser())), profile_prohibited: true })
  expect(await knex('provider_profiles').where(forgotten)).toEqual([])
})

test('logins and unlinkings at once, in any order, leave what the last of them says', async () => {
  const user = newUser()
  await Promise.all([
    told.record(user, 'messaging', 10),
    told.unlink(user, 'messaging', 20),
    told.record(user, 'messaging', 30, 'last'),
    told.record(user, 'search', 10),
    told.unlink(user, 'search', 20),
    told.record(user, 'portal', 15),
  ])
  expect(await told.names(user)).toEqual({ messaging: 'last', portal: 'portal' })
  expect(await told.combinedName(user)).toBe('last')
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderData } from '#contracts'
import { at, callsOf, newLink } from './calls.ts'
import { newUser, openProfile, type SharedHarness } from './harness.ts'

let harness: SharedHarness
let calls: ReturnType<typeof callsOf>
beforeAll(async () => {
  harness = await openProfile()
  calls = callsOf(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

/** A user with a link to the device provider. */
const linkedUser = () => ({ ...newUser(), ...newLink('device') })
type LinkedUser = ReturnType<typeof linkedUser>

const record = (user: LinkedUser, ms: number, obtained: Partial<ProviderData>) => {
  const data = { profile: {}, follow: null, email: [], phone: [], ...obtained }
  return harness.profile.recordProviderData({ ...user, data, obtained_at: at(ms) }, harness.call())
}

const email = [{ email: 'ada@example.com', verified: true }]
const named = { profile: { full_name: 'Ada King' }, email }
const unnamed: Partial<ProviderData> = { email, not_obtained: ['full_name'] }

async function read(user: LinkedUser) {
  const { profile, email } = await harness.profile.readProfile(user, harness.call())
  return { name: profile.full_name, emails: email.map((entry) => entry.email), updates: profile.update_count }
}

describe('a login that obtains fewer items than the previous one does not delete the stored ones', () => {
  test('a name that the provider sends once remains', async () => {
    const user = linkedUser()
    await record(user, 0, named)
    await record(user, 1_000, unnamed)
    await record(user, 2_000, unnamed)
    expect(await read(user)).toEqual({ name: 'Ada King', emails: ['ada@example.com'], updates: 3 })
  })

  test('also if the login that obtained it is recorded last, and twice', async () => {
    const user = linkedUser()
    await record(user, 1_000, unnamed)
    await record(user, 0, named)
    const known = { name: 'Ada King', emails: ['ada@example.com'], updates: 2 }
    expect(await read(user)).toEqual(known)
    await record(user, 0, named)
    await record(user, 1_000, unnamed)
    expect(await read(user)).toEqual(known)
  })

  test('also if both have the same time', async () => {
    for (const logins of [
      [named, unnamed],
      [unnamed, named],
    ]) {
      const user = linkedUser()
      for (const login of logins) await record(user, 0, login)
      expect((await read(user)).name).toBe('Ada King')
    }
  })

  test('a new value replaces it, and an empty item deletes it', async () => {
    const user = linkedUser()
    await record(user, 0, named)
    await record(user, 1_000, { profile: { full_name: 'Ada Byron' } })
    expect(await read(user)).toMatchObject({ name: 'Ada Byron', emails: [] })
  })

  test('the provider’s data has it, too', async () => {
    const user = linkedUser()
    await record(user, 0, named)
    await record(user, 1_000, unnamed)
    expect((await calls.dataOf([user])).device).toEqual({ ...named, follow: null, phone: [] })
  })
})

describe('deleted data is not restored', () => {
  test('after the link was deleted, whenever the earlier login is recorded', async () => {
    const former = linkedUser()
    const user = { ...former, ...newLink('device') }
    await record(former, 0, named)
    await calls.deleteLinks(former, [former], 1_000)
    await record(user, 2_000, unnamed)
    await record(former, 500, named)
    expect((await read(user)).name).toBeNull()
  })

  test('after a deletion that is recorded last', async () => {
    const former = linkedUser()
    const user = { ...former, ...newLink('device') }
    await record(user, 2_000, unnamed)
    await calls.deleteLinks(former, [former], 1_000)
    await record(former, 0, named)
    expect(await read(user)).toMatchObject({ name: null, emails: ['ada@example.com'] })
  })

  test('after the profile was deleted', async () => {
    const user = linkedUser()
    await record(user, 0, named)
    await calls.deleteProfile(user, [user])
    await record(user, 5_000, unnamed)
    await record(user, -5_000, named)
    expect((await read(user)).name).toBeNull()
  })
})

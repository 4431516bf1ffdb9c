import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderData } from '#contracts'
import { type Harness, newUser, startProfile } from './harness.ts'
import { at, tell } from './told.ts'

let harness: Harness
let record: (user: User, ms: number, data: Partial<ProviderData>) => Promise<unknown>
beforeAll(async () => {
  harness = await startProfile()
  record = (user, ms, told) => {
    const data = { profile: {}, follow: null, email: [], phone: [], ...told }
    return harness.profile.recordProviderData(
      { ...user, provider: 'device', data, obtained_at: at(ms) },
      harness.call(),
    )
  }
})
afterAll(() => harness[Symbol.asyncDispose]())

type User = ReturnType<typeof newUser>

const email = [{ email: 'ada@example.com', verified: true }]
const named = { profile: { full_name: 'Ada King' }, email }
const unnamed: Partial<ProviderData> = { email, not_obtained: ['full_name'] }

async function read(user: User) {
  const { profile, email } = await harness.profile.readProfile(user, harness.call())
  return { name: profile.full_name, emails: email.map((entry) => entry.email), updates: profile.update_count }
}

describe('a login that obtains fewer items than the one before keeps the stored ones', () => {
  test('a name that the provider sends once stays', async () => {
    const user = newUser()
    await record(user, 0, named)
    await record(user, 1_000, unnamed)
    await record(user, 2_000, unnamed)
    expect(await read(user)).toEqual({ name: 'Ada King', emails: ['ada@example.com'], updates: 3 })
  })

  test('also when the login that obtained it is recorded last, and twice', async () => {
    const user = newUser()
    await record(user, 1_000, unnamed)
    await record(user, 0, named)
    const known = { name: 'Ada King', emails: ['ada@example.com'], updates: 2 }
    expect(await read(user)).toEqual(known)
    await record(user, 0, named)
    await record(user, 1_000, unnamed)
    expect(await read(user)).toEqual(known)
  })

  test('also when both are of one moment', async () => {
    for (const logins of [
      [named, unnamed],
      [unnamed, named],
    ]) {
      const user = newUser()
      for (const login of logins) await record(user, 0, login)
      expect((await read(user)).name).toBe('Ada King')
    }
  })

  test('a new value replaces it, and an item obtained as empty empties it', async () => {
    const user = newUser()
    await record(user, 0, named)
    await record(user, 1_000, { profile: { full_name: 'Ada Byron' } })
    expect(await read(user)).toMatchObject({ name: 'Ada Byron', emails: [] })
  })

  test('the data of the provider keep it, too', async () => {
    const user = newUser()
    await record(user, 0, named)
    await record(user, 1_000, unnamed)
    const { data } = await harness.profile.readProviderData({ ...user, providers: ['device'] }, harness.call())
    expect(data.device).toEqual({ ...named, follow: null, phone: [] })
  })
})

describe('what is gone is not filled in', () => {
  test('after the provider was unlinked, whenever the earlier login is heard of', async () => {
    const user = newUser()
    await record(user, 0, named)
    await tell(harness).unlink(user, 'device', 1_000)
    await record(user, 2_000, unnamed)
    await record(user, 500, named)
    expect((await read(user)).name).toBeNull()
  })

  test('after an unlinking that is heard of last', async () => {
    const user = newUser()
    await record(user, 2_000, unnamed)
    await tell(harness).unlink(user, 'device', 1_000)
    await record(user, 0, named)
    expect(await read(user)).toMatchObject({ name: null, emails: ['ada@example.com'] })
  })

  test('after the profile was deleted', async () => {
    const user = newUser()
    await record(user, 0, named)
    await harness.profile.deleteProfile({ ...user, prohibit: false }, harness.call())
    await record(user, 5_000, unnamed)
    await record(user, -5_000, named)
    expect((await read(user)).name).toBeNull()
  })
})

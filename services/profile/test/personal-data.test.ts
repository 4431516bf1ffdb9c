import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { nodeEnvironment } from '#testing'
import { callsOf, newLink } from './calls.ts'
import { type Harness, newUser, site, startProfile } from './harness.ts'

let harness: Harness
let calls: ReturnType<typeof callsOf>
beforeAll(async () => {
  harness = await startProfile()
  calls = callsOf(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

/** Runs the operators' command; returns its exit code and output. */
async function runEncryption(
  [...command]: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  const env = {
    ...nodeEnvironment,
    DATABASE_URL: harness.database_url,
    ENCRYPTION_KEYS: inject('encryption_keys'),
    ...settings,
  }
  const script = 'services/profile/encryption.ts'
  const result = await promisify(execFile)(process.execPath, [script, ...command], { env }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  return { code: 'code' in result ? result.code : 0, output: result.stdout + result.stderr }
}

/** The personal data of all users as it is stored, and the events that are not sent yet. */
const storedText = async () =>
  JSON.stringify(
    await Promise.all([
      harness.knex('profiles').pluck('combined'),
      harness.knex('provider_profiles').pluck('data'),
      harness.knex('pending_events').pluck('event'),
    ]),
  )
const read = (user: ReturnType<typeof newUser>) => harness.profile.readProfile(user, harness.call())

test('the stored data of a user is readable with the key only, in events that wait as well', async () => {
  const [user, link] = [newUser(), newLink('messaging')]
  // Without an events service in this stack, its events wait.
  await harness.profile.changeEventSettings({ site, revision: 1, profile_in_events: true }, harness.call())
  await calls.record(user, link, 10, 'Ann Planted')
  expect(await read(user)).toMatchObject({ profile: { full_name: 'Ann Planted' } })
  expect(await harness.knex('pending_events').count({ count: '*' })).not.toEqual([{ count: 0 }])
  expect(await storedText()).not.toMatch(/planted/i)
  // Moved to another user, the data is not that user's.
  const other = newUser()
  await calls.record(other, newLink('messaging'), 10, 'Ben')
  const { combined } = await harness.knex('profiles').where(user).first('combined')
  await harness
    .knex('profiles')
    .where(other)
    .update({ combined: JSON.stringify(combined) })
  expect(await read(other)).toMatchObject({ profile: { full_name: null } })
})

test('of a deleted user, and of unlinked accounts, a restored backup of the data has nothing', async () => {
  const [user, messaging, search] = [newUser(), newLink('messaging'), newLink('search')]
  await calls.record(user, messaging, 10)
  await calls.record(user, search, 20)
  const backUp = async () => ({
    profile: await harness.knex('profiles').where(user).first('combined', 'deleted'),
    data: await harness.knex('provider_profiles').whereIn('link_id', [messaging.link_id, search.link_id]),
    links: await harness.knex('links').where(user),
  })
  const restore = async ({ profile, data, links }: Awaited<ReturnType<typeof backUp>>) => {
    await harness
      .knex('profiles')
      .where(user)
      .update({ deleted: profile.deleted, combined: JSON.stringify(profile.combined) })
    await harness.knex('links').insert(links).onConflict().ignore()
    const rows = data.map(({ data, ...row }) => ({ ...row, data: JSON.stringify(data) }))
    await harness.knex('provider_profiles').insert(rows).onConflict().ignore()
  }
  const [before, everything] = [await read(user), await backUp()]
  await calls.deleteLinks(user, [search], 30)
  await restore({ ...everything, profile: await harness.knex('profiles').where(user).first('combined', 'deleted') })
  expect(Object.keys(await calls.dataOf([messaging, search]))).toEqual(['messaging'])

  await calls.deleteLinks(user, [messaging, search], 40, 'delete')
  expect(await harness.knex('personal_keys').whereIn('subject', [user.identifier, messaging.link_id])).toEqual([])
  await restore(everything)
  expect(await calls.dataOf([messaging, search])).toEqual({})
  const after = await read(user)
  expect(after.email).toEqual([])
  expect(after.profile).toMatchObject({ full_name: null })
  expect(before.email).toHaveLength(2)
})

test('stored data is encrypted, and decrypted again, while logins continue; it reads the same in every form', async () => {
  await harness.running.stop()
  const plain = await harness.startReplica({ ENCRYPT_PERSONAL_DATA: 'no' })
  const users = Array.from({ length: 250 }, () => ({ user: newUser(), link: newLink('messaging') }))
  for (const { user, link } of users) await calls.record(user, link, 10)
  const readAll = () => Promise.all(users.map(({ user }) => read(user)))
  const before = await readAll()
  expect(await storedText()).toContain('messaging@example.com')
  await plain.stop()
  // They are not converted: they wait for moments only.
  await harness.knex('pending_events').delete()

  await harness.startReplica()
  expect(await readAll()).toEqual(before)
  const [returning, others] = [users.slice(0, 100), users.slice(100)]
  const logIn = async () => {
    for (const { user, link } of returning) await calls.record(user, link, 20, 'again')
  }
  const [first] = await Promise.all([runEncryption(['rotate']), logIn()])
  expect(first.output).toMatch(/^profiles: \d+ values encrypted$/m)
  expect(first.code).toBe(0)
  expect(await storedText()).not.toContain('example.com')
  const encrypted = await readAll()
  expect(encrypted.slice(-others.length)).toEqual(before.slice(-others.length))
  expect(encrypted.slice(0, 100).map(({ profile }) => profile.full_name)).toEqual(returning.map(() => 'again'))
  expect((await runEncryption(['rotate'])).output).toMatch(
    /^profiles: 0 values encrypted\nprovider_profiles: 0 values/m,
  )
  expect((await runEncryption(['check'])).output).toMatch(
    /^personal_keys: 5\d\d values decrypted\nprofiles.combined: 25\d/,
  )

  expect((await runEncryption(['rotate'], { ENCRYPT_PERSONAL_DATA: 'no' })).output).toMatch(
    /^profiles: \d+ values decrypted$/m,
  )
  expect(await readAll()).toEqual(encrypted)
  expect(await storedText()).toContain('again@example.com')
  await runEncryption(['rotate'])
})

test('damaged data is an error, which the check lists, until the key of the user is deleted', async () => {
  const user = newUser()
  await calls.record(user, newLink('messaging'), 10)
  const { combined } = await harness.knex('profiles').where(user).first('combined')
  const damaged = Buffer.from(combined, 'base64')
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1
  await harness
    .knex('profiles')
    .where(user)
    .update({ combined: JSON.stringify(damaged.toString('base64')) })
  await expect(read(user)).rejects.toThrow()
  const checked = await runEncryption(['check'])
  expect(checked.code).toBe(2)
  expect(checked.output).toContain(`\nprofiles.combined ${site} ${user.identifier}: `)
  await harness.knex('personal_keys').where({ site, subject: user.identifier }).delete()
  expect(await read(user)).toMatchObject({ profile: { full_name: null } })
})

test('after a rotation the earlier key can go; of a permanently lost key, data is discarded and stored again by logins', async () => {
  const [user, link] = [newUser(), newLink('messaging')]
  await calls.record(user, link, 10)
  const next = `next:${randomBytes(32).toString('base64')}`
  const both = { ENCRYPTION_KEYS: `${next},${inject('encryption_keys')}` }
  const rotated = await runEncryption(['rotate'], both)
  expect(rotated).toMatchObject({ code: 0, output: expect.stringMatching(/^personal_keys: \d+ values re-encrypted\n/) })
  expect(rotated.output).toMatch(/next \(current key\): personal_keys\.key_encrypted \d+\n/)
  expect(rotated.output).toMatch(/test: pending_events \d+ \(deleted when the events have been sent\)\n/)
  await harness.knex('pending_events').delete()
  expect((await runEncryption(['check'], { ENCRYPTION_KEYS: next })).code).toBe(0)

  const lost = { ENCRYPTION_KEYS: `other:${randomBytes(32).toString('base64')}` }
  expect((await runEncryption(['check'], lost)).code).toBe(2)
  expect((await runEncryption(['discard', 'next'], lost)).output).toMatch(/^deleted: the keys of \d+ users and links/)
  expect(await read(user)).toMatchObject({ profile: { full_name: null } })
  await calls.record(user, link, 20)
  expect(await read(user)).toMatchObject({ profile: { full_name: 'messaging' } })
})

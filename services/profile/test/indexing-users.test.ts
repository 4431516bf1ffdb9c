import { randomBytes } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { at, newLink } from './calls.ts'
import { type Harness, site, startProfile } from './harness.ts'

const users = 250

async function recordUsers({ profile, call }: Harness): Promise<void> {
  for (let n = 0; n < users; n++) {
    const data = { profile: { full_name: `User ${n}` }, follow: null, email: [], phone: [] }
    const user = { site, identifier: newIdentifier(), ...newLink('messaging') }
    await profile.recordProviderData({ ...user, data, obtained_at: at(0) }, call())
  }
}

/** What of a site is indexed. */
async function readIndex({ knex, profile, call }: Harness) {
  const { indexing } = await profile.readUserSearch({ site }, call())
  const identifiers = await knex('user_search_terms').where({ site }).distinct().pluck('identifier')
  return { indexing, users: identifiers.length, keys: await knex('user_search_keys').where({ site }).pluck('version') }
}
const whenIndexed = (harness: Harness, keys: number[]) =>
  expect.poll(() => readIndex(harness)).toEqual({ indexing: null, users, keys })
const switchOn = ({ profile, call }: Harness) =>
  profile.changeUserSearch({ site, fields: ['name'], expected_revision: 0 }, call())
const countFound = async ({ profile, call }: Harness) =>
  (await profile.findUsers({ site, q: 'user 7' }, call())).users.length

test('indexing continues after a crash where its last batch ended', async () => {
  await using harness = await startProfile()
  const { knex, running } = harness
  await recordUsers(harness)
  await switchOn(harness)
  await whenIndexed(harness, [1])
  const found = await countFound(harness)
  await running.stop()
  // As a process leaves it that ends in the second batch.
  const indexedUpTo = (await knex('profiles').where({ site }).orderBy('identifier').pluck('identifier'))[99]
  await knex('user_search_terms').where({ site }).where('identifier', '>', indexedUpTo).delete()
  await knex('user_search')
    .where({ site })
    .update({ indexing_started_at: new Date(), indexed_up_to: indexedUpTo, users_indexed: 100 })
  const job = { key: `indexUsers:${site}`, task: 'indexUsers', payload: { site }, attempts: 1 }
  await knex('jobs').insert({ ...job, run_at: new Date(0), leased_until: new Date(0) })
  await harness.startReplica()
  await whenIndexed(harness, [1])
  expect(await knex('user_search').where({ site }).pluck('users_indexed')).toEqual([users])
  expect(await countFound(harness)).toBe(found)
})

test('with another current key of the ring, users are indexed with a new key, and found all the time', async () => {
  await using harness = await startProfile()
  await recordUsers(harness)
  await switchOn(harness)
  await whenIndexed(harness, [1])
  const found = await countFound(harness)
  const terms = () => harness.knex('user_search_terms').where({ site }).distinct().pluck('term')
  const before = new Set(await terms())
  await harness.running.stop()
  const next = `next:${randomBytes(32).toString('base64')}`
  await harness.startReplica({ ENCRYPTION_KEYS: `${next},${inject('encryption_keys')}` })
  expect(await countFound(harness)).toBe(found)
  await whenIndexed(harness, [2])
  expect((await terms()).filter((term) => before.has(term)).length).toBeLessThan(before.size / 10)
  expect(await countFound(harness)).toBe(found)
})

test('if the key of the ring is lost, logins go on, and users are indexed with a new key', async () => {
  // Encrypted profiles would be lost with it.
  await using harness = await startProfile({ ENCRYPT_PERSONAL_DATA: 'no' })
  await recordUsers(harness)
  await switchOn(harness)
  await whenIndexed(harness, [1])
  const found = await countFound(harness)
  await harness.running.stop()
  await harness.startReplica({ ENCRYPTION_KEYS: `next:${randomBytes(32).toString('base64')}` })
  await whenIndexed(harness, [2])
  expect(await countFound(harness)).toBe(found)
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Metadata, UserConditions, UserPosition } from '#contracts'
import { faultMatching, newLogin, openIdentity, type SharedHarness } from './harness.ts'

let harness: SharedHarness
let site: number
beforeAll(async () => {
  harness = await openIdentity()
})
beforeEach(async () => {
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

async function newUser(
  metadata: Partial<Metadata> = {},
  provider: 'messaging' | 'search' = 'messaging',
): Promise<string> {
  const { identity, call } = harness
  const { user } = await identity.recordLogin(newLogin(site, { provider }), call())
  await change(user.identifier, metadata)
  return user.identifier
}

const change = (identifier: string, metadata: Partial<Metadata>) =>
  harness.identity.changeMetadata(
    { site, identifier, ...metadata, replace: false, command: crypto.randomUUID() },
    harness.call(),
  )

const read = () => harness.identity.readMetadataSearch({ site }, harness.call())
const setPaths = (paths: string[], revision: number) =>
  harness.identity.changeMetadataSearch({ site, paths, expected_revision: revision }, harness.call())
const whenIndexed = () => expect.poll(async () => (await read()).indexing).toBeNull()

/** The users of a list, in the order of identifiers. */
async function list(conditions: UserConditions, sort: 'created' | 'last_login' = 'created'): Promise<string[]> {
  const identifiers: string[] = []
  let after: UserPosition | null | undefined
  while (after !== null) {
    const page = { site, limit: 2, conditions, sort, order: 'desc' as const, after }
    const { identifiers: listed, next } = await harness.identity.listMatchingUsers(page, harness.call())
    identifiers.push(...listed)
    after = next
  }
  return identifiers.toSorted()
}

/** Number of changes of the paths that wait for the end of other transactions. */
async function countWaiting(): Promise<number> {
  const locks = harness.knex('pg_locks').where({ locktype: 'advisory', classid: 7_305_011, objid: site })
  return (await locks.andWhere({ granted: false }).select('pid')).length
}

const readIndex = () =>
  harness.knex('metadata_values').where({ site }).orderBy(['path', 'value']).select('identifier', 'path', 'value')

test('users are listed by an exact value, a number or an item of a list, before and after the path is indexed', async () => {
  const gold = await newUser({ app_metadata: { plan: 'gold', level: 7, tags: ['a', 'b', 'b'] } })
  const text = await newUser({ app_metadata: { plan: 'Gold', level: '7' }, user_metadata: { plan: 'gold' } })
  const nested = await newUser({ app_metadata: { plan: { name: 'gold' }, tags: 'a', trial: true } })
  await newUser()
  const cases: [string, string[]][] = [
    ['app_metadata.plan=gold', [gold]],
    ['user_metadata.plan=gold', [text]],
    ['app_metadata.plan.name=gold', [nested]],
    ['app_metadata.level=7', [gold, text]],
    ['app_metadata.level=7.0', [gold]],
    ['app_metadata.tags=a', [gold, nested]],
    ['app_metadata.trial=true', [nested]],
    ["app_metadata.plan=' or 1=1 --", []],
  ]
  const check = async () => {
    for (const [metadata, users] of cases)
      for (const sort of ['created', 'last_login'] as const)
        expect({ metadata, users: await list({ metadata }, sort) }).toEqual({ metadata, users: users.toSorted() })
  }
  await check()
  const paths = [...new Set(cases.map(([metadata]) => metadata.split('=')[0] ?? ''))]
  expect(await setPaths(paths, 0)).toMatchObject({ paths: paths.toSorted(), revision: 1 })
  await whenIndexed()
  await check()
  expect(await list({ metadata: 'app_metadata.tags=a', provider: 'search' })).toEqual([])
  await expect(setPaths([], 0)).rejects.toMatchObject(faultMatching('changed_meanwhile'))
})

test('the index has the values of the paths that are set, and follows changes, merges and deletions', async () => {
  const { identity, call } = harness
  const user = await newUser({ app_metadata: { plan: 'gold', color: 'red' } })
  expect(await readIndex()).toEqual([])
  await setPaths(['app_metadata.plan', 'app_metadata.color'], 0)
  await whenIndexed()
  expect(await readIndex()).toEqual([
    { identifier: user, path: 'app_metadata.color', value: 'red' },
    { identifier: user, path: 'app_metadata.plan', value: 'gold' },
  ])
  await setPaths(['app_metadata.plan'], 1)
  await whenIndexed()
  await change(user, { app_metadata: { plan: 'silver', color: 'blue' } })
  const silver = { identifier: user, path: 'app_metadata.plan', value: 'silver' }
  expect(await readIndex()).toEqual([silver])
  const source = await newUser({ app_metadata: { plan: 'none' } }, 'search')
  await newUser({ app_metadata: { plan: 'x'.repeat(256) } })
  expect(await readIndex()).toHaveLength(2)
  const users = { source: { identifier: source }, destination: { identifier: user } }
  await identity.mergeUsers({ site, ...users, nomerge: true, command: crypto.randomUUID() }, call())
  expect(await readIndex()).toEqual([silver])
  await identity.deleteUser({ site, identifier: user, command: crypto.randomUUID() }, call())
  expect(await readIndex()).toEqual([])
  await setPaths([], 2)
  await whenIndexed()
  expect(await read()).toEqual({ paths: [], indexing: null, revision: 3 })
})

test('imported metadata is indexed in the transaction of its batch', async () => {
  await setPaths(['user_metadata.department'], 0)
  await whenIndexed()
  const { identity, call, knex } = harness
  const user = { primary_key: 'imported', user_metadata: { department: 'sales' }, links: [] }
  await identity.importUsers({ site, conflict: 'fail', users: [user], command: crypto.randomUUID() }, call())
  expect(await list({ metadata: 'user_metadata.department=sales' })).toHaveLength(1)
  expect(await knex('metadata_values').where({ site }).pluck('value')).toEqual(['sales'])
})

test('changes of the paths and of metadata wait for each other, so that the index misses no value', async () => {
  const user = await newUser()
  const { knex } = harness
  let changed: Promise<unknown> = Promise.resolve()
  await knex.transaction(async (trx) => {
    // As a change of metadata that has read the paths and has not ended.
    await trx.raw('select pg_advisory_xact_lock_shared(7305011, ?)', [site])
    const parts = { user_metadata: {}, app_metadata: { plan: 'gold' }, revision: 1 }
    await trx('user_metadata').insert({ site, identifier: user, ...parts })
    changed = setPaths(['app_metadata.plan'], 0)
    await expect.poll(() => countWaiting()).toBe(1)
  })
  await changed
  await whenIndexed()
  expect(await list({ metadata: 'app_metadata.plan=gold' })).toEqual([user])
  expect(await readIndex()).toHaveLength(1)

  await knex.transaction(async (trx) => {
    // As a change of the paths that has not ended.
    await trx.raw('select pg_advisory_xact_lock(7305011, ?)', [site])
    await trx('metadata_searches')
      .where({ site })
      .update({ paths: ['app_metadata.level'] })
    changed = change(user, { app_metadata: { level: 3 } })
    await expect.poll(() => countWaiting()).toBe(1)
  })
  await changed
  expect(await readIndex()).toEqual([{ identifier: user, path: 'app_metadata.level', value: '3' }])
})

test('indexing continues after a crash where its last batch ended', async () => {
  const users = await Promise.all([1, 2, 3].map((n) => newUser({ app_metadata: { plan: `p${n}` } })))
  await setPaths(['app_metadata.plan'], 0)
  await whenIndexed()
  const { knex } = harness
  const [first = '', ...others] = users.toSorted()
  // As a process leaves it that ends after the first user.
  await knex('metadata_values').where({ site }).whereIn('identifier', others).delete()
  const progress = { indexing_started_at: new Date(), indexed_up_to: first, users_indexed: 1 }
  await knex('metadata_searches').where({ site }).update(progress)
  // Lists have all users also while they are indexed.
  expect(await list({ metadata: 'app_metadata.plan=p1' })).toHaveLength(1)
  const job = { key: `indexMetadata:${site}`, task: 'indexMetadata', payload: { site }, attempts: 1 }
  await knex('jobs').insert({ ...job, run_at: new Date(0), leased_until: new Date(0) })
  await whenIndexed()
  expect(await readIndex()).toHaveLength(3)
  expect(await knex('metadata_searches').where({ site }).pluck('users_indexed')).toEqual([3])
})

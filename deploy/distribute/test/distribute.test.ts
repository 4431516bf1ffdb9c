import { randomBytes } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import {
  type Distribution,
  distribute,
  type Migration,
  migrate,
  openDatabase,
  previewDistribution,
  provisionDatabase,
} from '#database'
import { createLogger } from '#runtime'
import { isCitus, openForTest } from '#testing'
import { connectWorkers } from '../../../testing/citus.ts'
import { type DatabaseOwner, databaseOwners } from '../../local/database-owners.ts'

const logger = createLogger('test', 'silent')

const owners = databaseOwners.filter(({ distribution }) => distribution !== undefined)

function requireDistribution({ name, distribution }: DatabaseOwner): Distribution {
  if (distribution === undefined) throw new Error(`${name} has no distribution.`)
  return distribution
}

/** A new migrated database of a service, which is not distributed, on each server. */
async function createDatabase(service: string): Promise<{ url: string; owner: DatabaseOwner }> {
  const owner = owners.find(({ name }) => name === service)
  if (owner === undefined) throw new Error(`${service} has no distribution.`)
  const role = { name: `d${randomBytes(5).toString('hex')}`, password: 'p' }
  const servers = [inject('postgres_url'), ...inject('postgres_workers')]
  for (const server of servers.slice(1)) await provisionDatabase(server, role)
  const url = await provisionDatabase(inject('postgres_url'), role)
  if (isCitus) await connectWorkers(servers, role)
  await migrate(url, owner.migrations)
  return { url, owner }
}

test('each table of a site is distributed; those that others refer to are copied to every server', async () => {
  const { url, owner } = await createDatabase('identity')
  const plan = await previewDistribution(url, requireDistribution(owner))
  expect(plan).toMatchObject({
    distributed: expect.arrayContaining(['links', 'login_history', 'user_count_deltas', 'user_metadata', 'users']),
    reference: ['sites', 'accounts'],
    local: expect.arrayContaining(['api_keys', 'event_relay', 'jobs', 'migrations', 'site_revisions']),
    droppedKeys: [],
  })
  const ofProviderAuth = await createDatabase('provider-auth')
  const other = await previewDistribution(ofProviderAuth.url, requireDistribution(ofProviderAuth.owner))
  expect(other.droppedKeys).toMatchObject([{ name: 'authorization_codes_client' }])
  expect(other.local).toEqual(expect.arrayContaining(['clients', 'site_hosts', 'signing_keys']))
})

test('a table of sites with a unique index without the site is rejected by name', async () => {
  const { url } = await createDatabase('friendship')
  await migrate(url, [...(owners.find(({ name }) => name === 'friendship')?.migrations ?? []), withoutSite])
  await expect(previewDistribution(url, { service: 'test', globalTables: { event_relay: 'Global.' } })).rejects.toThrow(
    'The unique index things_pk of things does not contain the site.',
  )
})

const withoutSite: Migration = {
  name: '9999-things',
  up: async (knex) =>
    void (await knex.raw('create table things (id integer constraint things_pk primary key, site integer)')),
}

test.skipIf(isCitus)('without the extension, the error says what to do', async () => {
  const { url, owner } = await createDatabase('friendship')
  await expect(distribute(url, requireDistribution(owner))).rejects.toThrow('create extension citus')
})

test.runIf(isCitus)('a filled database is distributed with its rows, counts and references, once', async () => {
  const { url, owner } = await createDatabase('identity')
  const distribution = requireDistribution(owner)
  await using database = openForTest(url)
  const { knex } = database
  await knex('accounts').insert({ account: 'a', name: 'a' })
  const sites: { site: number }[] = await knex('sites')
    .insert([1, 2, 3].map((n) => ({ account: 'a', site_id: `s${n}`, name: 's', requests_per_window: 1, revision: n })))
    .returning('site')
  const users = sites.flatMap(({ site }) =>
    ['a', 'b'].map((name) => ({ site, identifier: `60000000${name}`, created_at: '2020-01-01T00:00:00Z' })),
  )
  await knex('users').insert(users)
  await knex('links').insert(
    users.map((user) => ({ ...user, provider: 'messaging', provider_user_id: user.identifier })),
  )
  const countRows = async () => [
    await knex('users').count({ n: '*' }),
    await knex('links').count({ n: '*' }),
    await knex('user_counts_now').where({ registration_shift: 32, login_shift: 32 }).sum({ n: 'n_all' }),
  ]
  const before = await countRows()
  await using replica = await openDatabase({ DATABASE_URL: url }, { name: 'identity', logger })
  await expect(distribute(url, distribution)).rejects.toThrow('Replicas of identity are connected')
  await replica[Symbol.asyncDispose]()
  const isStopped = async () =>
    (await knex('pg_stat_activity').where({ application_name: 'identity' }).whereRaw('datname = current_database()'))
      .length === 0
  await expect.poll(isStopped).toBe(true)
  expect((await distribute(url, distribution)).distributed).toContain('users')
  expect(await countRows()).toEqual(before)
  expect(await knex('pg_trigger').whereRaw(`tgrelid = 'users'::regclass and not tgisinternal`)).toEqual([])
  await expect(
    knex('links').insert({ ...users[0], identifier: 'x', provider: 'p', provider_user_id: 'x' }),
  ).rejects.toThrow('links_user_fk')
  await expect(knex('users').insert({ ...users[0], site: 999 })).rejects.toThrow('users_site_fk')
  expect((await distribute(url, distribution)).distributed).toEqual([])
})

test.runIf(isCitus)(
  'later migrations change a distributed database, and their tables are distributed, too',
  async () => {
    for (const { name, migrations } of owners) {
      const { url, owner } = await createDatabase(name)
      const distribution = requireDistribution(owner)
      await distribute(url, distribution)
      await migrate(url, [...migrations, later])
      expect((await distribute(url, distribution)).distributed).toEqual(['later_things'])
    }
  },
)

const later: Migration = {
  name: '9999-later',
  up: async (knex) =>
    void (await knex.raw(`
      create table later_things (site integer not null, id integer not null, constraint later_things_pk primary key (site, id));
      alter table site_deletions add column later text`)),
}

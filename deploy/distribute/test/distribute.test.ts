import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { distribute, type Migration, migrate, openDatabase, previewDistribution } from '#database'
import { createLogger } from '#runtime'
import { isCitus, openForTest } from '#testing'
import {
  createUndistributedDatabase,
  distributedOwners,
  fillDatabase,
  requireDistribution,
} from './undistributed-database.ts'

const logger = createLogger('test', 'silent')

test('each table of a site is distributed; those that others refer to are copied to every server', async () => {
  const { url, owner } = await createUndistributedDatabase('identity')
  const plan = await previewDistribution(url, requireDistribution(owner))
  expect(plan).toMatchObject({
    distributed: expect.arrayContaining(['links', 'login_history', 'user_count_deltas', 'user_metadata', 'users']),
    reference: ['sites', 'accounts'],
    local: expect.arrayContaining(['api_keys', 'event_relay', 'jobs', 'migrations', 'site_revisions']),
    droppedKeys: [],
  })
  const ofProviderAuth = await createUndistributedDatabase('provider-auth')
  const other = await previewDistribution(ofProviderAuth.url, requireDistribution(ofProviderAuth.owner))
  expect(other.droppedKeys).toMatchObject([{ name: 'authorization_codes_client' }])
  expect(other.local).toEqual(expect.arrayContaining(['clients', 'site_hosts', 'signing_keys']))
})

test('a table of sites with a unique index without the site is rejected by name', async () => {
  const { url } = await createUndistributedDatabase('friendship')
  await migrate(url, [...(distributedOwners.find(({ name }) => name === 'friendship')?.migrations ?? []), withoutSite])
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
  const { url, owner } = await createUndistributedDatabase('friendship')
  await expect(distribute(url, requireDistribution(owner))).rejects.toThrow('create extension citus')
})

test.runIf(isCitus)('a filled database is distributed with its rows, counts and references, once', async () => {
  const { url, owner } = await createUndistributedDatabase('identity')
  const distribution = requireDistribution(owner)
  await using database = openForTest(url)
  const { knex } = database
  const { users, countRows } = await fillDatabase(knex)
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
  expect(await distribute(url, distribution)).toMatchObject({ distributed: [], reference: [], unmanaged: [] })
})

test.runIf(isCitus)('a change of a site and its message to another service are committed in two phases', async () => {
  const { url, owner } = await createUndistributedDatabase('identity')
  await distribute(url, requireDistribution(owner))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const notices: string[] = []
  client.on('notice', ({ message = '' }) => notices.push(message))
  await client.query('set citus.log_remote_commands to on')
  await client.query('set client_min_messages to notice')
  await client.query('begin')
  await client.query(`insert into commands (site, command, expires_at) values (1, '${randomUUID()}', now())`)
  await client.query(`insert into jobs (key, task, payload, run_at) values ('j', 't', '{}', now())`)
  await client.query('commit')
  await client.end()
  expect(notices).toContainEqual(expect.stringContaining('PREPARE TRANSACTION'))
  expect((await previewDistribution(url, requireDistribution(owner))).unmanaged).toEqual([])
})

test.runIf(isCitus)(
  'later migrations change a distributed database, and their tables are distributed, too',
  async () => {
    for (const { name, migrations } of distributedOwners) {
      const { url, owner } = await createUndistributedDatabase(name)
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

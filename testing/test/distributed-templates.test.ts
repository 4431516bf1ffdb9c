import { expect, inject, test } from 'vitest'
import { cloneDatabase, dropDatabase, openForTest } from '#testing'

test.runIf(inject('postgres_workers').length > 0)('databases of tests are distributed over the workers', async () => {
  const url = await cloneDatabase(inject('postgres_url'), 'identity')
  try {
    await using database = openForTest(url)
    await database.knex('pending_events').insert({ site: 1, subject: 'user', event: '{}' })
    const { rows } = await database.knex.raw(
      `select count(distinct nodeid)::integer as workers from pg_dist_shard join pg_dist_placement p using (shardid)
       join pg_dist_node n using (groupid) where logicalrelid = 'users'::regclass`,
    )
    expect(rows).toEqual([{ workers: inject('postgres_workers').length }])
  } finally {
    await dropDatabase(inject('postgres_url'), url)
  }
})

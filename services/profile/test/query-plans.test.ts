import { expect, test } from 'vitest'
import { dataOfLink } from '../store/provider-profiles.ts'
import { startProfile } from './harness.ts'

const newSite = 2

test('the data of a user is looked up by link, also for a site that came after the last analyze', async () => {
  await using harness = await startProfile()
  const { knex } = harness
  await knex.raw(`
    with given as (select gen_random_uuid() as link_id, n from generate_series(1, 20000) as n),
    stored as (insert into links select 1, link_id, 'user-' || n, now() from given returning link_id)
    insert into provider_profiles select 1, link_id, 'messaging', '{}', now() from stored`)
  await knex.raw('vacuum analyze links')
  await knex.raw('vacuum analyze provider_profiles')
  const { rows } = await knex.raw<{ rows: { 'QUERY PLAN': string }[] }>(
    `explain select data from links ${dataOfLink.replaceAll('$1', String(newSite))}
     where site = ${newSite} and identifier = 'user'`,
  )
  const plan = rows.map((row) => row['QUERY PLAN'].trim())
  expect(plan).toContain(`Index Cond: ((site = ${newSite}) AND (link_id = links.link_id))`)
  expect(plan.filter((line) => line.startsWith('Join Filter'))).toEqual([])
})

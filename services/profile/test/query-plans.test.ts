import { expect, test } from 'vitest'
import { isCitus } from '#testing'
import { dataOfLink } from '../store/provider-profiles.ts'
import { usersWithTerms } from '../store/search-terms.ts'
import { startProfile } from './harness.ts'

const newSite = 2

// Citus shows the plan of a shard in another form.
test.skipIf(isCitus)(
  'the data of a user is looked up by link, also for a site that came after the last analyze',
  async () => {
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
  },
)

test.skipIf(isCitus)(
  'a search reads a limited part of the index of terms, also if half of all users have the first one',
  async () => {
    await using harness = await startProfile()
    const { knex } = harness
    await knex.raw(`
    insert into user_search_terms select 1, term, 'user-' || n
    from generate_series(1, 20000) as n, unnest(array[n % 2, 1000 + n]) as term`)
    await knex.raw('vacuum analyze user_search_terms')
    const statement = usersWithTerms
      .replaceAll('$1', '1')
      .replaceAll('$2', '0')
      .replaceAll('$3', `'{1002}'`)
      .replaceAll('$4', '50')
    const { rows } = await knex.raw<{ rows: { 'QUERY PLAN': string }[] }>(`explain (analyze, timing off) ${statement}`)
    const plan = rows.map((row) => row['QUERY PLAN'].trim())
    const reads = plan.filter((line) => line.includes(' on user_search_terms'))
    expect(reads).toHaveLength(2)
    for (const read of reads) expect(read).toMatch(/Index Only Scan.* using user_search_terms_pk .*actual rows=(50|0) /)
  },
)

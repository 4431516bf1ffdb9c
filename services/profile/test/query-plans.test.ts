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
    from generate_series(1, 20000) as n, unnest(array[n % 2, 500, 1000 + n]) as term`)
    await knex.raw('vacuum analyze user_search_terms')
    const readIndex = async (others: string) => {
      const statement = usersWithTerms
        .replaceAll('$1', '1')
        .replaceAll('$2', '0')
        .replaceAll('$3', `'${others}'`)
        .replaceAll('$4', '50')
        .replaceAll('$5', '10')
      const { rows } = await knex.raw<{ rows: { 'QUERY PLAN': string }[] }>(
        `explain (analyze, timing off) ${statement}`,
      )
      const plan = rows.map((row) => row['QUERY PLAN'].trim())
      return plan
        .filter((line) => line.includes(' on user_search_terms'))
        .map((line) => /Index Only Scan.* using user_search_terms_pk .*actual (rows=\d+ loops=\d+)/.exec(line)?.[1])
    }
    expect(await readIndex('{1002}')).toEqual(['rows=50 loops=1', 'rows=50 loops=1', 'rows=0 loops=50'])
    // Ends with the last user who is wanted.
    expect(await readIndex('{500}')).toEqual(['rows=50 loops=1', 'rows=10 loops=1', 'rows=1 loops=10'])
  },
)

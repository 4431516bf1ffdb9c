import type { Knex } from 'knex'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Reader } from '#database'
import { isCitus } from '#testing'
import { toListPosition } from '../domain/list-position.ts'
import { beforeEveryInactive, inactivityKinds, listInactiveUsers } from '../store/inactive-users.ts'
import type { ListSection, MatchConditions } from '../store/match-conditions.ts'
import { listSection } from '../store/matching-users.ts'
import { rollUpUserCounts } from '../store/user-counts.ts'
import type { UserFilter } from '../store/user-filter.ts'
import { listNewestPage, listPageAfter, listPageFrom } from '../store/user-pages.ts'
import { countUsers } from '../store/user-totals.ts'
import { type Harness, startIdentity } from './harness.ts'

const users = 100_000
const day = 86_400
const now = 1_900_000_123

let harness: Harness
let site: number
beforeAll(async () => {
  harness = await startIdentity()
  site = await harness.newSite()
  const { knex } = harness
  // Three years of registrations; more recent logins than old ones; 60 % mapped; 1 % made older by a merge.
  await knex.raw(
    `insert into users (site, identifier, primary_key, mapped_at, created_at, last_logged_in_at, login_count)
     select :site, to_hex(registration) || md5(n::text), case when n % 5 < 3 then 'member-' || n end,
       case when n % 5 < 3 then now() end, to_timestamp(registration - case when n % 100 = 0 then 86400 * 50 else 0 end),
       to_timestamp(:now::bigint - (:now::bigint - registration) * power(n * 7919 % 1000 / 1000.0, 2)),
       n * 7919 % 50
     from (select n, :now::bigint - 1095 * 86400 + n * (1095 * 86400 / :users::bigint) as registration from generate_series(0, :users::bigint - 1) n) as people`,
    { site, users, now },
  )
  // Among the oldest: a scan of the newest finds none of them. 70 % have an account at messaging.
  await knex.raw(
    `insert into links (site, identifier, provider, provider_user_id, created_at)
     select site, identifier, provider, identifier, created_at from users
       cross join lateral (values ('search', registration < :old and login_count < 5), ('messaging', login_count >= 15)) as own (provider, has)
     where site = :site and has`,
    { site, old: now - 1_000 * day },
  )
  await knex.raw(
    `insert into user_deletions (site, identifier, requested_at, delete_at)
     select site, identifier, now(), now() + interval '30 days' from users
     where site = :site and registration < :old and login_count >= 5 and login_count < 14`,
    { site, old: now - 1_000 * day },
  )
  // A rare value among the oldest, and one of 70 %.
  await knex.raw(
    `insert into user_metadata (site, identifier, user_metadata, app_metadata, revision)
     select site, identifier, '{}', case when registration < :old and login_count < 5 then '{"plan": "gold"}'::jsonb
       else jsonb_build_object('plan', 'basic', 'tags', array['new', 'trial']) end, 1
     from users where site = :site and (login_count >= 15 or registration < :old and login_count < 5)`,
    { site, old: now - 1_000 * day },
  )
  await knex.raw(
    `insert into metadata_values (site, identifier, path, value)
     select site, identifier, 'app_metadata.plan', app_metadata ->> 'plan' from user_metadata where site = :site`,
    { site },
  )
  for (const table of ['user_metadata', 'metadata_values']) await knex.raw(`vacuum analyze ${table}`)
  await knex.raw('vacuum analyze links')
  await knex.raw('vacuum analyze user_deletions')
  // The service rolls up, too, and only one can at a time.
  while ((await knex('user_count_deltas').first()) !== undefined) await rollUpUserCounts(knex, 100_000)
  await knex.raw('vacuum analyze users')
  await knex.raw('vacuum analyze user_counts')
})
afterAll(() => harness[Symbol.asyncDispose]())

const Plan = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  get Plans() {
    return z.array(Plan).default([])
  },
})
type Plan = z.output<typeof Plan>

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...plan.Plans.flatMap(nodesOf)]
}

/** The plans of all statements of the work, each run once more. */
async function plansOf(work: (knex: Knex) => Promise<unknown>): Promise<Plan[]> {
  const { knex } = harness
  const statements: { sql: string; bindings: Knex.Value[] }[] = []
  const note = (statement: { sql: string; bindings: Knex.Value[] }) => statements.push(statement)
  knex.on('query', note)
  await work(knex)
  knex.removeListener('query', note)
  expect(statements.length).toBeGreaterThan(0)
  const plans: Plan[] = []
  for (const { sql, bindings } of statements) {
    const statement = `explain (analyze, format json) ${sql.replaceAll(/\$\d+/g, '?')}`
    const { rows } = await knex.raw<{ rows: { 'QUERY PLAN': unknown }[] }>(statement, bindings)
    const [{ Plan: plan }] = z.tuple([z.object({ Plan })]).parse(rows[0]?.['QUERY PLAN'])
    plans.push(plan)
  }
  return plans
}

/** The plans of the defined statements of the work, which sees no rows. */
async function plansOfDefined(work: (reader: Reader) => Promise<unknown>): Promise<Plan[]> {
  const statements: { text: string; values: readonly unknown[] }[] = []
  await work({
    async run({ text }, values) {
      statements.push({ text, values })
      return { rows: [], rowCount: 0, command: '', oid: 0, fields: [] }
    },
  })
  const connection: pg.Client = await harness.knex.client.acquireConnection()
  try {
    const plans: Plan[] = []
    for (const { text, values } of statements) {
      const { rows } = await connection.query(`explain (analyze, format json) ${text}`, [...values])
      const [{ Plan: plan }] = z.tuple([z.object({ Plan })]).parse(rows[0]?.['QUERY PLAN'])
      plans.push(plan)
    }
    return plans
  } finally {
    harness.knex.client.releaseConnection(connection)
  }
}

const filters: Omit<UserFilter, 'site'>[] = [
  {},
  { mapped: 'mapped_only' },
  { mapped: 'not_mapped_only' },
  { created_since: now - 300 * day },
  { created_since: now - 300 * day, mapped: 'mapped_only' },
  { logged_in_since: now - 300 * day },
  { logged_in_since: now - 3_600 },
  { logged_in_since: now - 300 * day, mapped: 'not_mapped_only' },
  { created_since: now - 300 * day, logged_in_since: now - 30 * day },
  { created_since: now - 300 * day, logged_in_since: now - 30 * day, mapped: 'mapped_only' },
]

// Citus shows the plan of a shard in another form, and its rows are inserted without being counted.
test.skipIf(isCitus).each(filters)(
  '%j: the first, last and following pages and the total scan short index ranges',
  async (filter) => {
    const query = { site, ...filter }
    const total = await countUsers(harness.knex, query)
    const [after = toListPosition('')] = await listPageFrom(harness.knex, query, { skip: total - 100, limit: 1, total })
    const [oldest = toListPosition('')] = await listPageFrom(harness.knex, query, { skip: 100, limit: 1, total })
    const plans = await plansOf(async (knex) => {
      await countUsers(knex, query)
      await listPageFrom(knex, query, { skip: 0, limit: 101, total })
      await listPageFrom(knex, query, { skip: Math.floor(total / 2), limit: 101, total })
      await listPageFrom(knex, query, { skip: total - 100, limit: 101, total })
      await listPageAfter(knex, query, after, 101)
      await listNewestPage(knex, query, { skip: 0, limit: 101, total })
      await listNewestPage(knex, query, { skip: total - 100, limit: 101, total })
      await listPageAfter(knex, query, oldest, 101, 'desc')
      await listPageAfter(knex, query, after, 101, 'desc')
    })
    const nodes = plans.flatMap(nodesOf)
    const scans = nodes.filter(({ 'Relation Name': name }) => name === 'users' || name === 'user_counts')
    const ranges = ['Index Scan', 'Index Only Scan', 'Bitmap Heap Scan']
    expect(scans.filter((scan) => !ranges.includes(scan['Node Type']))).toEqual([])
    const read = scans
      .filter((scan) => scan['Relation Name'] === 'users')
      .map((scan) => (scan['Actual Rows'] + scan['Rows Removed by Filter']) * scan['Actual Loops'])
    // The longest: a day of the remainder of a login period; few logins that are sorted; 1 % made older by a merge.
    expect(Math.max(...read)).toBeLessThan(users / 40)
    const sorts = nodes.filter(({ 'Node Type': type }) => type === 'Sort').map((sort) => sort['Actual Rows'])
    expect(Math.max(0, ...sorts)).toBeLessThan(users / 40)
  },
)

test.skipIf(isCitus).each(inactivityKinds)(
  'inactive users by %s are read in the order of an index, a page at a time',
  async (kind) => {
    const rule = { delete_after_days: 730, notice_days: 30, include_mapped: true }
    const limit = 500
    const plans = await plansOfDefined((reader) =>
      listInactiveUsers(reader, site, rule, { kind, after: beforeEveryInactive, limit }),
    )
    const scans = plans.flatMap(nodesOf).filter(({ 'Relation Name': name }) => name === 'users')
    expect(scans.map((scan) => scan['Node Type'])).toEqual([expect.stringMatching(/^Index (Only )?Scan$/)])
    const read = scans.map((scan) => scan['Actual Rows'] + scan['Rows Removed by Filter'])
    expect(Math.max(...read)).toBeLessThanOrEqual(limit)
  },
)

const old = new Date((now - 1_090 * day) * 1_000).toISOString().replace('.000', '')
const early = new Date((now - 1_060 * day) * 1_000).toISOString().replace('.123', '').replace('.000', '')
const lists: [MatchConditions, ListSection, number][] = [
  [{}, 'registration', users],
  [{}, 'last_logged_in_at', users],
  [{}, 'login_count', users],
  [{ mapped: 'mapped_only', created_since: old }, 'login_count', users],
  [{ provider: 'messaging' }, 'last_logged_in_at', users],
  [{ provider: 'messaging', user_state: 'active' }, 'registration', users],
  [{ provider: 'search' }, 'registration', 1],
  [{ provider: 'search', user_state: 'active', mapped: 'mapped_only' }, 'last_logged_in_at', 1],
  [{ metadata: 'app_metadata.plan=basic', hasMetadataIndex: true }, 'registration', users],
  [{ metadata: 'app_metadata.plan=gold', hasMetadataIndex: true }, 'registration', 1],
  [{ metadata: 'app_metadata.plan=gold', hasMetadataIndex: true, mapped: 'mapped_only' }, 'last_logged_in_at', 1],
  [{ metadata: 'app_metadata.plan=none', hasMetadataIndex: true }, 'login_count', 0],
  [{ user_state: 'to_be_deleted' }, 'login_count', 1],
  [{ last_login_until: early }, 'login_count', 1],
  [{ last_login_since: early, last_login_until: early }, 'login_count', 0],
]

test.skipIf(isCitus).each(lists)('%j in the order of %s: pages read few users', async (conditions, section, least) => {
  const list = { site, section, limit: 21 } as const
  const first = await listSection(harness.knex, { ...list, order: 'desc', after: undefined }, conditions)
  expect(first.users).toHaveLength(Math.min(21, least * 21))
  const plans = await plansOf(async (knex) => {
    for (const order of ['asc', 'desc'] as const)
      for (const after of [undefined, first.users[19]]) await listSection(knex, { ...list, order, after }, conditions)
  })
  const nodes = plans.flatMap(nodesOf)
  const scans = nodes.filter(({ 'Relation Name': name }) => name !== undefined)
  const read = scans.map((scan) => ({
    table: scan['Relation Name'],
    type: scan['Node Type'],
    rows: (scan['Actual Rows'] + scan['Rows Removed by Filter']) * scan['Actual Loops'],
  }))
  expect(read.filter(({ rows }) => rows > 2_100)).toEqual([])
  // A table with few pages, all of this site, is read without its index.
  const sequential = read.filter(({ table, type }) => type === 'Seq Scan' && table !== 'user_deletions')
  expect(sequential).toEqual([])
})

test('finding a user reads indexes only', async () => {
  const { knex } = harness
  const plans: string[] = []
  await knex.transaction(async (trx) => {
    await trx.raw('set local enable_seqscan = off')
    const { rows } = await trx.raw(
      `explain select * from users where site = 1 and identifier in (
         select 'x' union select identifier from users where site = 1 and primary_key = 'x'
         union select identifier from links where site = 1 and provider = any('{messaging,search}') and provider_user_id = 'x')`,
    )
    plans.push(JSON.stringify(rows))
  })
  expect(plans[0]).not.toContain('Seq Scan')
  expect(plans[0]).toContain('links_pk')
  expect(plans[0]).toContain('users_primary_key_unique')
})

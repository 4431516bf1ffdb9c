import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { limits } from '#contracts'
import { cloneDatabase, openForTest } from '../../../testing/databases.ts'
import { cleanUpUsage } from '../background/usage-cleanup.ts'
import { cleanUpExports, failExport, insertExport, insertPart, updateExport } from '../store/exports.ts'

let knex: Knex
beforeAll(async () => {
  const database = openForTest(await cloneDatabase(inject('postgres_url'), 'console'))
  knex = database.knex
  afterAll(() => database[Symbol.asyncDispose]())
})

const now = new Date('2030-06-15T12:00:00Z')
const minute = 60
const hour = 3_600
const day = 86_400
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
const request = { address: '192.0.2.1', operation: 'users', status: 200, code: null, duration_ms: 1 }
const calls = { site: 1, calls: 1, limited: 0, busiest_minute: 1 }
const caller = { site: 1, api_key_id: randomUUID(), address: '192.0.2.1', calls: 1, last_at: now }

/** Tables with their time columns and retention periods. */
const retentionCases: [what: string, table: string, column: string, row: object, seconds: number][] = [
  ['calls by minute', 'usage_calls', 'at', { ...calls, span: 'minute' }, 2 * hour],
  ['calls by hour', 'usage_calls', 'at', { ...calls, span: 'hour' }, 35 * day],
  ['calls by day', 'usage_calls', 'at', { ...calls, span: 'day' }, 400 * day],
  ['callers by minute', 'usage_callers', 'at', { ...caller, span: 'minute' }, 2 * hour],
  ['addresses of callers', 'usage_callers', 'at', { ...caller, span: 'hour' }, 7 * day],
  ['single requests', 'requests', 'at', request, 3 * day],
  ['calls to providers', 'provider_calls', 'minute', { provider: 'portal', calls: 1, failed: 0 }, 2 * hour],
]

test.each(retentionCases)(
  '%s are deleted after their retention period, and not before',
  async (_, table, column, row, seconds) => {
    const own = () => (table === 'requests' ? { ...row, request_id: randomUUID() } : row)
    await knex(table).insert([seconds + minute, seconds - minute].map((age) => ({ ...own(), [column]: before(age) })))
    await cleanUpUsage(knex, now)
    expect(await knex(table).where(row).pluck(column)).toEqual([before(seconds - minute)])
  },
)

test('only the newest requests of a site are stored, independently of other sites', async () => {
  // The requests of the other tests are of another site.
  const [site, other] = [11, 12]
  const surplus = 15_000
  await knex.raw(
    `insert into requests (request_id, at, site, address, operation, status, duration_ms)
     select gen_random_uuid(), ?::timestamptz - n * interval '1 second', case n when 0 then ? else ? end::int, '', 'users', 200, 1
     from generate_series(0, ?::int) n`,
    [now, other, site, limits.stored_requests_per_site + surplus],
  )
  await knex('usage_calls').insert({ ...calls, site, span: 'hour', at: now })
  await cleanUpUsage(knex, now)
  const ofSite = () => knex('requests').where({ site })
  expect(Number((await ofSite().count().first())?.count)).toBe(limits.stored_requests_per_site)
  expect((await ofSite().min('at').first())?.min).toEqual(before(limits.stored_requests_per_site))
  expect(await knex('requests').where({ site: other })).toHaveLength(1)
})

test('the file of an export is deleted when it expires or fails, and its entry after a month', async () => {
  const begin = async (site: number, requestedAt: Date) => {
    const exportId = randomUUID()
    const wanted = {
      export_id: exportId,
      site,
      format: 'csv',
      charset: 'UTF-8',
      columns: null,
      numbers_as_text: true,
      with_profile: false,
      with_credentials: false,
      filter: {},
      requested_by: 'x',
      requested_at: requestedAt,
    } as const
    await insertExport(knex, wanted)
    await insertPart(knex, exportId, 0, Buffer.from('file'))
    return exportId
  }
  const ready = await begin(1, before(hour))
  await updateExport(knex, ready, { state: 'ready', expires_at: before(-minute) })
  const over = await begin(2, before(day))
  await updateExport(knex, over, { state: 'ready', expires_at: before(minute) })
  const failed = await begin(3, before(hour))
  await failExport(knex, failed)
  const old = await begin(4, before(31 * day))
  await updateExport(knex, old, { state: 'ready', expires_at: before(30 * day) })

  await cleanUpExports(knex, now)
  expect(await knex('export_parts').pluck('export_id')).toEqual([ready])
  const states = await knex('exports').orderBy('site').select('export_id', 'state')
  expect(states).toEqual([
    { export_id: ready, state: 'ready' },
    { export_id: over, state: 'expired' },
    { export_id: failed, state: 'failed' },
  ])
})

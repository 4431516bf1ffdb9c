import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { cloneDatabase, openForTest } from '../../../testing/databases.ts'
import { cleanUpLoginLog } from '../background/login-log-cleanup.ts'

let knex: Knex
beforeAll(async () => {
  const database = openForTest(await cloneDatabase(inject('postgres_url'), 'console'))
  knex = database.knex
  afterAll(() => database[Symbol.asyncDispose]())
})
beforeEach(async () => {
  for (const table of ['logins', 'rejections', 'login_logs']) await knex(table).delete()
})

const now = new Date('2030-06-15T12:00:00Z')
const day = 86_400
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
const login = (seconds: number, site = 1, kind: string | null = 'openid') => ({
  site,
  login_id: randomUUID(),
  at: before(seconds),
  kind,
})
const rejection = (seconds: number) => ({
  site: 1,
  request_id: randomUUID(),
  at: before(seconds),
  endpoint: 'token',
  registered_redirect_uris: [],
  reason: 'code_invalid',
})

test.each([3, 10])('logins and rejected requests are deleted after %i days, and not before', async (days) => {
  await knex('logins').insert([login(days * day - 60), login(days * day + 60), login(days * day + 60, 1, null)])
  await knex('rejections').insert([rejection(days * day - 60), rejection(days * day + 60)])
  await cleanUpLoginLog(knex, days, now)
  for (const table of ['logins', 'rejections'])
    expect(await knex(table).pluck('at'), table).toEqual([before(days * day - 60)])
})

test('only the newest logins of a site are stored, independently of other sites; the log says that it is incomplete', async () => {
  const log = { position: 1, reported_at: now }
  await knex('login_logs').insert([
    { ...log, site: 1 },
    { ...log, site: 2 },
  ])
  await knex('logins').insert([10, 20, 30, 40].map((seconds) => login(seconds, 1, seconds === 20 ? null : 'openid')))
  await knex('logins').insert([10, 20].map((seconds) => login(seconds, 2)))
  await cleanUpLoginLog(knex, 3, now, 2)
  expect(await knex('logins').orderBy(['at', 'site']).select('site', 'at')).toEqual([
    { site: 1, at: before(20) },
    { site: 2, at: before(20) },
    { site: 1, at: before(10) },
    { site: 2, at: before(10) },
  ])
  const readLogs = () => knex('login_logs').orderBy('site').select('site', 'complete_since')
  expect(await readLogs()).toEqual([
    { site: 1, complete_since: before(30) },
    { site: 2, complete_since: null },
  ])
  await cleanUpLoginLog(knex, 3, new Date(now.getTime() + 3 * day * 1_000), 2)
  expect(await readLogs()).toMatchObject([{ complete_since: null }, { complete_since: null }])
})

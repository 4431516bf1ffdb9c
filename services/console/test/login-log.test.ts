import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { toTimestamp } from '#runtime'
import { createLoginLogReader } from './login-log-reader.ts'
import type { SendRequest } from './managed.ts'
import { createLoginRecords, createReporter, type NewLoginRecord, reportLogins } from './report-logins.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const reader = { request: undefined as SendRequest | undefined }
const log = createLoginLogReader({
  request: async (...request) => {
    if (reader.request === undefined) throw new Error('Set in beforeEach.')
    return reader.request(...request)
  },
})

const { reportedAt: now, start, end, failed, loginAt } = createLoginRecords()
const reporter = createReporter(stage)

/** Each test has a site of its own. */
let site: number
beforeEach(async () => {
  const { account } = stage.site
  const siteId = `log-${randomUUID().slice(0, 8)}`
  const { identity, call } = stage.serviceStack
  ;({ site } = await identity.registerSite({ account, site_id: siteId, name: 'Log' }, call()))
  reader.request = (method, path) => stage.requestAdminApi(method, `/accounts/${account}/sites/${siteId}${path}`)
})

const report = (records: readonly NewLoginRecord[], incompleteSites: number[] = []) =>
  reportLogins(reporter(), site, records, stage, incompleteSites)

/** The parts that requests report about a login with a code. */
function partsOf(loginId: string): NewLoginRecord[] {
  const identifier = 'a'.repeat(40)
  return [
    { login_id: loginId, start: { ...start, browser: 'chrome', country: 'JP', request_id: loginId } },
    { login_id: loginId, start, end: { ...end, identifier, is_new_user: false, has_code: true, provider_ms: 30 } },
    { login_id: loginId, redeemed_at: now - 9_000 },
  ]
}

/** All orders of a list. */
function permute<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]]
  return list.flatMap((first, index) => permute(list.toSpliced(index, 1)).map((others) => [first, ...others]))
}

test('records of a login give the same row in any order, in one report or in several, also repeated', async () => {
  const parts = partsOf(randomUUID())
  const orders = permute(parts)
  const ids = orders.map(() => randomUUID())
  for (const [index, order] of orders.entries())
    for (const part of [...order, ...order]) await report([{ ...part, login_id: ids[index] ?? '' }])
  const inOne = randomUUID()
  await report(parts.toReversed().map((part) => ({ ...part, login_id: inOne })))
  const rows: object[] = await stage.knex('logins').where({ site })
  expect(rows).toHaveLength(orders.length + 1)
  const [first, ...others] = rows.map((row) => ({ ...row, login_id: '', position: null }))
  for (const other of others) expect(other).toEqual(first)
  expect(first).toMatchObject({
    kind: 'openid',
    browser: 'chrome',
    country: 'JP',
    result: 'completed',
    provider_ms: 30,
  })
})

test('the first end of a login counts, in any order', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  const late = { ...failed, at: end.at + 1 }
  await report([{ login_id: one, start, end }])
  await report([{ login_id: one, start, end: late }])
  await report([{ login_id: other, start, end: late }])
  await report([{ login_id: other, start, end }])
  const { logins } = await log.list()
  expect(logins.map(({ result }) => result)).toEqual(['completed', 'completed'])
})

test('a login whose code could not be exchanged is rejected, in any order of reports; after an exchange it is completed', async () => {
  const [one, other, exchanged] = [randomUUID(), randomUUID(), randomUUID()]
  const completed = { ...end, has_code: true }
  const reject = (loginId: string) => {
    const rejection = { request_id: randomUUID(), endpoint: 'token', client_id: 'shop', redirect_uri: null } as const
    const what = { error: 'invalid_grant', error_description: null } as const
    const known = { reason: 'code_invalid', at: now - 8_000, site, login_id: loginId } as const
    const { bus, nextReport } = reporter()
    const input = {
      ...nextReport(),
      rejections: [{ ...rejection, ...what, ...known, registered_redirect_uris: [] }],
    }
    return bus.reportRejections(input, stage.serviceStack.call())
  }
  await report([{ login_id: one, start, end: completed }])
  await reject(one)
  await reject(other)
  await report([{ login_id: other, start, end: completed }])
  await reject(exchanged)
  await report([{ login_id: exchanged, start, end: completed, redeemed_at: now - 9_000 }])
  const { logins } = await log.list()
  const results = new Map(logins.map(({ login_id, result, reason }) => [login_id, [result, reason]]))
  expect(results.get(one)).toEqual(['rejected', 'code_invalid'])
  expect(results.get(other)).toEqual(['rejected', 'code_invalid'])
  expect(results.get(exchanged)).toEqual(['completed', 'succeeded'])
  // The rejected requests are part of their logins.
  expect(logins).toHaveLength(3)
})

test('a client ID of 128 characters, as existing clients can have, does not stop a report', async () => {
  const clientId = 'c'.repeat(128)
  await report([loginAt(0, { start: { ...start, client_id: clientId } })])
  expect((await log.list(`client_id=${clientId}`)).logins).toHaveLength(1)
})

test('a repeated report is ignored, and a login without a start is not shown', async () => {
  const records = [{ ...loginAt(0), site }]
  const input = { source: randomUUID(), sequence: 0, logins: records, incomplete_sites: [] }
  await Promise.all([1, 2, 3].map(() => reporter().bus.reportLoginRecords(input, stage.serviceStack.call())))
  await report([{ login_id: randomUUID(), redeemed_at: now }])
  expect((await log.list()).logins).toHaveLength(1)
  expect((await log.ended()).logins).toHaveLength(1)
})

test('pages list the newest first, each login once, also those of the same time', async () => {
  await report([...[5, 1, 3, 3, 3].map((seconds) => loginAt(seconds)), loginAt(9, { end: null })])
  const whole = (await log.list()).logins
  expect(whole.map(({ at }) => at)).toEqual(
    [9, 5, 3, 3, 3, 1].map((seconds) => toTimestamp(start.at + seconds * 1_000)),
  )
  const paged: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof log.list>> = await log.list(`limit=2${cursor && `&cursor=${cursor}`}`)
    expect(page.logins.length).toBeLessThanOrEqual(2)
    paged.push(...page.logins.map(({ login_id }) => login_id))
    cursor = page.next_cursor
  }
  expect(paged).toEqual(whole.map(({ login_id }) => login_id))
})

test.each([
  ['provider=social', 'provider'],
  ['client_id=other', 'client'],
  ['result=failed', 'failed'],
  ['reason=provider_client', 'failed'],
  ['result=waiting', 'waiting'],
  [`identifier=${'b'.repeat(40)}`, 'user'],
  [`until=${toTimestamp(start.at + 1_000)}`, 'first'],
  [`since=${toTimestamp(start.at + 50_000)}`, 'last'],
  ['result=failed&provider=social', undefined],
])('the filter %s finds the matching login', async (query, expected) => {
  const cases: Record<string, NewLoginRecord> = {
    first: loginAt(0),
    provider: loginAt(10, { start: { ...start, at: start.at + 10_000, provider: 'social' } }),
    client: loginAt(20, { start: { ...start, at: start.at + 20_000, client_id: 'other' } }),
    failed: loginAt(30, { end: failed }),
    waiting: loginAt(35, { end: null }),
    user: loginAt(40, { end: { ...end, identifier: 'b'.repeat(40) } }),
    last: loginAt(50),
  }
  await report(Object.values(cases))
  const { logins } = await log.list(query)
  const found = expected === undefined ? [] : [cases[expected]?.login_id]
  expect(logins.map(({ login_id }) => login_id)).toEqual(found)
})

test('equal logins are one group, with their number, the first and the last time, and the newest login', async () => {
  const many = Array.from({ length: 100 }, (_, index) => loginAt(index, { end: failed }))
  await report([...many, loginAt(200), loginAt(201), loginAt(300, { end: null })])
  const { groups, more } = await log.groups()
  expect(groups.map(({ count, result, reason }) => [count, result, reason])).toEqual([
    [100, 'failed', 'provider_client'],
    [2, 'completed', 'succeeded'],
    [1, 'waiting', 'not_returned_yet'],
  ])
  expect(more).toBe(false)
  expect(groups[0]).toMatchObject({
    explanation: expect.stringContaining('client secret'),
    provider: 'search',
    client_id: 'shop',
    first_at: toTimestamp(start.at),
    last_at: toTimestamp(start.at + 99_000),
    newest_login_id: many.at(-1)?.login_id,
  })
  expect((await log.groups('result=completed')).groups).toHaveLength(1)
})

test('ended logins follow each other without gaps and doubles, also if their reports are late', async () => {
  const [early, late] = [loginAt(0), loginAt(100)]
  await report([late])
  const first = await log.ended()
  expect(first.logins.map(({ login_id }) => login_id)).toEqual([late.login_id])
  expect(await log.ended(`after=${first.next_after}`)).toEqual({
    logins: [],
    next_after: first.next_after,
    more: false,
  })
  await report([early, loginAt(200, { end: null })])
  const second = await log.ended(`after=${first.next_after}`)
  expect(second.logins.map(({ login_id }) => login_id)).toEqual([early.login_id])
  const page = await log.ended('limit=1')
  expect([page.more, page.logins[0]?.login_id]).toEqual([true, late.login_id])
  const rest = await log.ended(`limit=1&after=${page.next_after}`)
  expect(rest.logins.map(({ login_id }) => login_id)).toEqual([early.login_id])
  expect((await log.ended('after=newest')).logins).toEqual([])
})

test('reports of replicas at the same time leave no gap for a reader', async () => {
  const replicas = Array.from({ length: 6 }, (_, replica) =>
    Array.from({ length: 10 }, (_, n) => loginAt(replica * 10 + n)),
  )
  const records = replicas.flat()
  const seen: string[] = []
  let after = ''
  const follow = async () => {
    const page = await log.ended(after && `after=${after}`)
    seen.push(...page.logins.map(({ login_id }) => login_id))
    after = page.next_after
  }
  const reporting = Promise.all(
    replicas.map(async (ownRecords) => {
      for (const record of ownRecords) await report([record])
    }),
  )
  for (let round = 0; round < 5; round++) await follow()
  await reporting
  await follow()
  await follow()
  expect(seen.toSorted()).toEqual(records.map(({ login_id }) => login_id).toSorted())
})

test('a log that lost records says from when on it is complete', async () => {
  await report([loginAt(0)])
  expect((await log.list()).complete_since).toBeNull()
  await report([loginAt(1)], [site])
  const { complete_since } = await log.list()
  expect(complete_since).toMatch(/Z$/)
  expect((await log.groups()).complete_since).toBe(complete_since)
})

test.each([
  ['/logins?cursor=1', 400, 'not_a_next'],
  ['/logins/ended?after=x', 400, 'not_a_next'],
  ['/logins?limit=201', 400, 'too_large'],
  [`/logins/${randomUUID()}`, 404, 'login_not_found'],
])('%s: %i %s', async (path, status, reason) => {
  const response = await reader.request?.('GET', path)
  expect([response?.status, JSON.stringify(response?.body)]).toEqual([status, expect.stringContaining(`"${reason}"`)])
})

test('another site has other logins, and another account has no access', async () => {
  const login = loginAt(0)
  await report([login])
  const { account, site_id } = stage.site
  const other = await stage.requestAdminApi('GET', `/accounts/${account}/sites/${site_id}/logins/${login.login_id}`)
  expect(other.status).toBe(404)
  const foreign = await stage.requestAdminApi('GET', `/accounts/other/sites/${site_id}/logins`)
  expect(foreign.status).toBe(404)
})

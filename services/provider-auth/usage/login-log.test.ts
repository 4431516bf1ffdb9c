import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { LoginLogRecord, limits } from '#contracts'
import { createLoginLog } from './login-log.ts'

/** As in deploy/nats/nats.conf. */
const mostBytesOfMessage = 1_000_000
const uuid = '018f0000-0000-7000-8000-000000000000'
const at = 1_900_000_000_000

const longest = {
  site: 2_147_483_647,
  login_id: uuid,
  start: {
    at,
    kind: 'openid',
    provider: 'p'.repeat(31),
    client_id: 'c'.repeat(128),
    is_test: true,
    browser: 'yahoo_japan',
    country: 'JP',
    request_id: uuid,
  },
  end: {
    at,
    returned_at: at,
    result: 'completed',
    reason: 'association_token_invalid',
    // Each character is two in JSON.
    error: '"'.repeat(64),
    identifier: 'a'.repeat(40),
    is_new_user: true,
    has_code: true,
    provider_ms: 10_000,
    recording_ms: 10_000,
    callback_ms: 10_000,
    request_id: uuid,
  },
  redeemed_at: at,
} as const

const take = (log: ReturnType<typeof createLoginLog>) => log.take().flatMap(({ logins }) => logins)
const repeat = (count: number, run: (index: number) => void) => {
  for (let index = 0; index < count; index++) run(index)
}

test('a report fits into one message, even if all fields are as long as they can be', () => {
  const log = createLoginLog(new Registry())
  repeat(2_000, () => log.add(LoginLogRecord.parse(longest)))
  const reports = log.take()
  expect(reports.flatMap(({ logins }) => logins)).toHaveLength(2_000)
  for (const report of reports) expect(JSON.stringify(report).length).toBeLessThan(mostBytesOfMessage)
  expect(log.take()).toEqual([])
})

test('the records of one address, an IPv6 /64, do not displace those of others; its site is incomplete', () => {
  const log = createLoginLog(new Registry())
  const { login_records_per_address: limit } = limits
  repeat(limit + 10, (index) => log.add({ site: 1, login_id: uuid }, `2001:db8::${index.toString(16)}`))
  log.add({ site: 2, login_id: uuid }, '192.0.2.1')
  const reports = log.take()
  expect(reports.flatMap(({ logins }) => logins)).toHaveLength(limit + 1)
  expect(reports.flatMap((report) => report.incomplete_sites)).toEqual([1])
  log.add({ site: 1, login_id: uuid }, '2001:db8::1')
  expect(log.take()).toEqual([{ logins: [{ site: 1, login_id: uuid }], incomplete_sites: [] }])
})

test('the records of a site do not displace those of others; thousands of logins fit', () => {
  const log = createLoginLog(new Registry())
  const { login_records_per_site: limit } = limits
  expect(limit).toBeGreaterThanOrEqual(2 * 3_000)
  repeat(limit + 10, (index) => log.add({ site: 1, login_id: uuid }, `192.0.${index % 250}.1`))
  log.add({ site: 2, login_id: uuid }, '192.0.2.1')
  expect(take(log)).toHaveLength(limit + 1)
})

test('memory is limited; dropped records are counted', async () => {
  const registry = new Registry()
  const log = createLoginLog(registry)
  repeat(limits.login_records + 10, (index) => log.add({ site: index % 100, login_id: uuid }))
  expect(take(log)).toHaveLength(limits.login_records)
  const metric = await registry.getSingleMetric('sociallogin_login_records_dropped_total')?.get()
  expect(metric?.values.filter(({ value }) => value > 0)).toMatchObject([{ labels: { limit: 'all' }, value: 10 }])
})

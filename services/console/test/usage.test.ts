import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ApiKey, adminApi } from '#admin-api'
import { createSeparateUsageFixture, waitForReports } from './usage-fixture.ts'

const stage = createSeparateUsageFixture({ gateways: 2 })

const Calls = adminApi.readApiUsage.output
type CallCounts = z.output<typeof Calls>
const countOfCode = ({ codes }: CallCounts, code: number) => codes.find((one) => one.code === code)?.count ?? 0
const countOfOperation = ({ operations }: CallCounts, operation: string) =>
  operations.find((one) => one.operation === operation)?.count ?? 0
const now = () => new Date().toISOString()

async function readKeys() {
  const { body } = await stage.request('GET', '/keys')
  return new Map(
    z
      .object({ keys: z.array(ApiKey) })
      .parse(body)
      .keys.map((key) => [key.api_key_id, key]),
  )
}

test('calls of all gateways are counted by key, address, operation and error code', async () => {
  const { serviceStack, site, callWebApi } = stage
  const before = Calls.parse((await stage.request('GET', '/usage/api')).body)
  const second = await serviceStack.identity.issueApiKey({ site: site.site, name: 'second' }, serviceStack.call())
  await expect
    .poll(async () => (await callWebApi('198.51.100.9', 'appinfo', { api_key: second.api_key, gateway: 1 })).status)
    .toBe(200)
  for (const gateway of [0, 1]) {
    for (let call = 0; call < 3; call++) await callWebApi('192.0.2.1', 'appinfo', { gateway })
    await callWebApi('2001:db8::1', 'appinfo', { gateway })
    await callWebApi('192.0.2.1', 'map', { gateway })
  }
  await waitForReports(async () => {
    const keys = await readKeys()
    const first = keys.get(site.api_key_id)
    expect(first?.callers_last_hour).toEqual(
      expect.arrayContaining([
        { address: '192.0.2.1', calls: 8 },
        { address: '2001:db8::1', calls: 2 },
      ]),
    )
    expect(keys.get(second.api_key_id)?.callers_last_hour).toEqual([
      { address: '198.51.100.9', calls: expect.any(Number) },
    ])
    const shares = [...keys.values()].map(({ share_last_hour }) => share_last_hour)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
    expect(first?.last_used_at?.slice(0, 10)).toBe(now().slice(0, 10))
  })
  const after = Calls.parse((await stage.request('GET', '/usage/api')).body)
  const { calls, codes, operations, requests_per_window, busiest_window } = after
  expect(requests_per_window).toBe(10_000)
  expect(busiest_window).toBeGreaterThan(0)
  expect(calls).toHaveLength(24)
  const total = (points: readonly { count: number }[]) => points.reduce((sum, { count }) => sum + count, 0)
  expect(total(calls) - total(before.calls)).toBeGreaterThanOrEqual(11)
  expect(total(calls)).toBe(total(codes))
  expect(total(calls)).toBe(total(operations))
  expect(countOfCode(after, 5) - countOfCode(before, 5)).toBe(2)
  expect(countOfOperation(after, 'map') - countOfOperation(before, 'map')).toBe(2)
  for (const [span, points] of [
    ['month', 30],
    ['year', 12],
  ] as const) {
    const longer = Calls.parse((await stage.request('GET', `/usage/api?span=${span}`)).body)
    expect(longer.calls).toHaveLength(points)
    expect(total(longer.calls)).toBeGreaterThanOrEqual(total(calls))
  }
})

test('a preview applies a list of allowed addresses to the callers of seven days', async () => {
  const { callWebApi: callFrom } = stage
  await callFrom('203.0.113.7', 'appinfo')
  await callFrom('203.0.113.7', 'appinfo')
  await callFrom('2001:db8:1::5', 'appinfo')
  await callFrom('::ffff:203.0.113.200', 'appinfo')
  const preview = async (allowedAddresses: string[]) => {
    const { body } = await stage.request('POST', '/allowed-addresses/preview', { allowed_addresses: allowedAddresses })
    return adminApi.previewAllowedAddresses.output.parse(body)
  }
  await waitForReports(async () => {
    const { blocked, calls } = await preview(['203.0.113.128/25', '2001:db8:1::/64'])
    expect(blocked).toContainEqual({
      address: '203.0.113.7',
      calls: 2,
      last_called_at: expect.any(String),
      allowed_now: true,
    })
    const addresses = blocked.map(({ address }) => address)
    expect(addresses).not.toContain('203.0.113.200')
    expect(addresses).not.toContain('2001:db8:1::5')
    expect(calls).toBeGreaterThanOrEqual(4)
  })
  const byAddress = await preview(['2001:db8:1::6', '203.0.113.7', '127.0.0.1', '::1'])
  expect(byAddress.blocked.map(({ address }) => address)).toContain('2001:db8:1::5')
  expect(byAddress).toMatchObject({ your_address_allowed: true })
  expect((await preview([])).blocked).toEqual([])
})

test('a request is explained by its ID: rate limited, wrong key, invalid, or successful', async () => {
  const { callWebApi: callFrom, site } = stage
  const { api_key } = site
  const idOf = (response: Response) => response.headers.get('x-request-id') ?? ''
  const fine = await callFrom('192.0.2.50', 'appinfo?lmit=5')
  const lacking = await callFrom(
    '192.0.2.51',
    `map?primary_key=p&Identifier=x&user[id]=7&${api_key}=&${'n'.repeat(40)}=1&a%20name=1`,
  )
  const keyless = await callFrom('192.0.2.52', 'appinfo', { api_key: 'nobody' })
  const mistyped = await callFrom('192.0.2.53', 'app_info')
  const explain = async (requestId: string) => (await stage.request('GET', `/requests/${requestId}`)).body
  await waitForReports(async () => {
    expect(await explain(idOf(lacking))).toEqual({
      request_id: idOf(lacking),
      api_key_id: site.api_key_id,
      address: '192.0.2.51',
      at: expect.stringMatching(/Z$/),
      operation: 'map',
      status: 400,
      code: 5,
      remaining: expect.any(Number),
      result: 'required_parameter_missing',
      explanation: expect.stringContaining('A required parameter is missing'),
      duration_ms: expect.any(Number),
      parameter: 'identifier',
      reason: 'missing',
      reason_explanation: 'A required parameter is missing or empty.',
      documentation: 'https://api.example.com/docs#error-5',
      unknown_parameters: ['Identifier', 'user[id]'],
    })
  })
  await waitForReports(async () => {
    expect(await explain(idOf(fine))).toMatchObject({
      code: null,
      result: 'succeeded',
      explanation: 'The request succeeded.',
      parameter: null,
      reason: null,
      reason_explanation: null,
      documentation: null,
      unknown_parameters: ['lmit'],
    })
  })
  await waitForReports(async () => {
    expect(await explain(idOf(keyless))).toMatchObject({
      status: 401,
      code: 1,
      api_key_id: null,
      operation: 'appinfo',
      explanation: expect.stringContaining('API key'),
    })
  })
  await waitForReports(async () => {
    expect(await explain(idOf(mistyped))).toMatchObject({
      status: 404,
      code: 1008,
      result: 'unknown_operation',
      operation: 'unknown',
      documentation: 'https://api.example.com/docs#error-1008',
    })
  })
  expect(await stage.request('GET', `/requests/${randomUUID()}`)).toMatchObject({
    status: 404,
    body: { error: { name: 'not_found', message: expect.stringContaining('3 days') } },
  })
})

test('rate-limited calls are counted separately', async ({ onTestFinished }) => {
  const { serviceStack, site, callWebApi: callFrom } = stage
  const setLimit = (requestsPerWindow: number) =>
    serviceStack.identity.changeSite({ site: site.site, requests_per_window: requestsPerWindow }, serviceStack.call())
  onTestFinished(async () => {
    await setLimit(10_000)
    await expect.poll(async () => (await callFrom('192.0.2.60', 'appinfo')).status).toBe(200)
  })
  await setLimit(1)
  await expect.poll(async () => (await callFrom('192.0.2.60', 'appinfo')).status).toBe(429)
  await waitForReports(async () => {
    const { limited, requests_per_window } = Calls.parse((await stage.request('GET', '/usage/api')).body)
    expect(limited.at(-1)?.count).toBeGreaterThan(0)
    expect(requests_per_window).toBe(1)
  })
})

test('other accounts and unknown sites have no usage', async () => {
  const { serviceStack, site } = stage
  const anonymous = await fetch(
    `${serviceStack.console.url}/admin/v1/accounts/${site.account}/sites/${site.site_id}/usage/api`,
  )
  expect(anonymous.status).toBe(401)
  const other = await stage.request('GET', '/../other/usage/api')
  expect(other.status).toBe(404)
})

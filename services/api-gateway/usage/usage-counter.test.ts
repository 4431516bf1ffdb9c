import { expect, test } from 'vitest'
import type { CompletedRequest } from './completed-request.ts'
import { createUsageCounter } from './usage-counter.ts'

const minuteMs = 60_000

function createRequest(changes: Partial<CompletedRequest> = {}): CompletedRequest {
  return {
    request_id: '00000000-0000-4000-8000-000000000000',
    site: 1,
    api_key_id: 'k',
    address: '192.0.2.1',
    operation: 'appinfo',
    status: 200,
    code: 0,
    remaining: 1,
    duration_ms: 1.234,
    ...changes,
  }
}

function sum(rows: readonly { readonly calls: number }[]): number {
  return rows.reduce((total, { calls }) => total + calls, 0)
}

test('nothing is reported without requests, and nothing twice', () => {
  const counter = createUsageCounter()
  expect(counter.take()).toEqual([])
  counter.record(createRequest())
  expect(counter.take()).toHaveLength(1)
  expect(counter.take()).toEqual([])
})

test('each request counts in the minute in which it arrived, even if the minute ends between two reports', () => {
  let now = 5 * minuteMs - 1
  const counter = createUsageCounter(() => now)
  counter.record(createRequest())
  now += 1
  counter.record(createRequest())
  counter.record(createRequest({ code: 5, status: 400 }))
  const [report] = counter.take()
  expect(report?.responses).toEqual([
    { minute: 4, site: 1, operation: 'appinfo', code: 0, calls: 1 },
    { minute: 5, site: 1, operation: 'appinfo', code: 0, calls: 1 },
    { minute: 5, site: 1, operation: 'appinfo', code: 5, calls: 1 },
  ])
  expect(report?.callers.map(({ minute, calls, last_at }) => [minute, calls, last_at])).toEqual([
    [4, 1, now - 1],
    [5, 2, now],
  ])
})

test('memory does not grow with the number of addresses; calls of further addresses are counted together', () => {
  const counter = createUsageCounter(() => 0)
  const addresses = 10_000
  for (let n = 0; n < addresses; n++)
    counter.record(createRequest({ address: `2001:db8::${n.toString(16)}`, code: 1001 }))
  counter.record(createRequest({ site: 2, address: '192.0.2.7' }))
  const [report, ...further] = counter.take()
  expect(further).toEqual([])
  const own = report?.callers.filter(({ site }) => site === 1) ?? []
  expect(own).toHaveLength(257)
  expect(sum(own)).toBe(addresses)
  expect(own.find(({ address }) => address === null)?.calls).toBe(addresses - 256)
  expect(report?.callers.filter(({ site }) => site === 2)).toMatchObject([{ address: '192.0.2.7', calls: 1 }])
})

test('many busy sites are reported in several reports without losing calls', () => {
  const counter = createUsageCounter(() => 0)
  const sites = 5_000
  for (let call = 0; call < 6; call++)
    for (let site = 1; site <= sites; site++) counter.record(createRequest({ site, address: `192.0.2.${call}` }))
  const reports = counter.take()
  expect(reports.length).toBeGreaterThan(1)
  for (const { responses, callers, requests } of reports)
    expect(Math.max(responses.length, callers.length, requests.length)).toBeLessThanOrEqual(2_000)
  expect(sum(reports.flatMap(({ responses }) => responses))).toBe(6 * sites)
  expect(sum(reports.flatMap(({ callers }) => callers))).toBe(6 * sites)
  expect(reports.flatMap(({ callers }) => callers).length).toBeLessThanOrEqual(20_000 + sites)
})

test('a report fits in a NATS message of a megabyte, regardless of the parameter names of failed requests', () => {
  const counter = createUsageCounter(() => Date.parse('2030-01-01'))
  const unknownParameters = Array.from({ length: 10 }, (_, n) => `${n}`.padStart(32, 'p'))
  const [documentation, address] = ['https://api.example.com/docs#error-6', '2001:db8:1111:2222:3333:4444:5555:6666']
  const rejected = {
    status: 400,
    code: 6,
    reason: 'repeated',
    documentation,
    unknown_parameters: unknownParameters,
  } as const
  for (let site = 1; site <= 2_000; site++)
    for (const changes of [rejected, {}])
      counter.record(
        createRequest({
          site,
          address,
          api_key_id: createRequest().request_id,
          operation: 'user_attribute',
          ...changes,
        }),
      )
  for (const report of counter.take()) expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(1_000_000)
})

test('failed requests are reported individually, successful ones as a sample; both are limited', () => {
  const counter = createUsageCounter(() => 0)
  for (let n = 0; n < 50; n++) {
    counter.record(createRequest())
    counter.record(createRequest({ code: 6, status: 400 }))
    counter.record(createRequest({ code: 1, status: 401, site: undefined, api_key_id: undefined, address: undefined }))
  }
  const requests = counter.take().flatMap((report) => report.requests)
  expect(requests.filter(({ code }) => code === 6)).toHaveLength(50)
  expect(requests.filter(({ code }) => code === null)).toHaveLength(5)
  expect(requests.filter(({ code }) => code === 1)[0]).toMatchObject({ site: null, api_key_id: null, address: null })
  for (let site = 1; site < 100; site++)
    for (let n = 0; n < 200; n++) counter.record(createRequest({ site, code: 22, status: 429 }))
  expect(counter.take().flatMap((report) => report.requests)).toHaveLength(2_000)
})

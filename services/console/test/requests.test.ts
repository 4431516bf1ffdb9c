import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdminClient, getFault, type Harness, startConsole } from './harness.ts'

let harness: Harness
let owner: AdminClient
let operator: AdminClient
beforeAll(async () => {
  harness = await startConsole()
  owner = await harness.createMemberClient({ roles: { shop: 'owner' } })
  operator = await harness.createMemberClient({ operator: true })
})
afterAll(() => harness[Symbol.asyncDispose]())

const tokens = '/admin/v1/accounts/shop/tokens'

describe('invalid input is rejected with each field and the reason', () => {
  test.each<[string, object, [string, string][]]>([
    [
      'nothing',
      {},
      [
        ['name', 'is missing'],
        ['role', 'is missing'],
      ],
    ],
    ['another kind', { name: 7, role: 'viewer' }, [['name', 'must be a string']]],
    ['empty', { name: ' ', role: 'viewer' }, [['name', 'must not be empty']]],
    ['too long', { name: 'x'.repeat(101), role: 'viewer' }, [['name', 'must have at most 100 characters']]],
    ['none of the values', { name: 'CI', role: 'king' }, [['role', 'must be one of viewer, editor, owner']]],
    ['too much', { name: 'CI', role: 'viewer', expires_in_days: 367 }, [['expires_in_days', 'must be at most 366']]],
    [
      'no whole number',
      { name: 'CI', role: 'viewer', expires_in_days: 1.5 },
      [['expires_in_days', 'must be a whole number']],
    ],
    ['a mistyped name', { name: 'CI', role: 'viewer', live_days: 5 }, [['live_days', 'is not a known field']]],
    [
      'another account',
      { name: 'CI', role: 'viewer', account: 'other' },
      [['account', 'differs from the value in the path']],
    ],
  ])('%s', async (_, body, complaints) => {
    const response = await owner.send('POST', tokens, { body })
    const [[field, message] = []] = complaints
    expect(response).toMatchObject({
      status: 400,
      body: {
        error: {
          name: 'invalid_request',
          message: `${field} ${message}.`,
          field,
          fields: complaints.map(([name, reason]) => ({ field: name, message: reason })),
        },
      },
    })
  })

  test.each<[string, string, [string, string]]>([
    [
      'an entry of a list',
      '{"name":"s","site_id":"s","kind":"production","domains":["ok.example","not a host"]}',
      ['domains.1', 'must be a host name such as www.example.com'],
    ],
  ])('%s', async (_, body, [field, message]) => {
    const response = await owner.send('POST', '/admin/v1/accounts/shop/sites', { body: JSON.parse(body) })
    expect(response).toMatchObject({ status: 400, body: { error: { field, message: `${field} ${message}.` } } })
  })

  test.each([
    ['?limit=0', 'limit must be at least 1.'],
    ['?limit=many', 'limit must be a number.'],
    ['?limit=1&limit=2', 'limit is given more than once.'],
    ['?nonsense=1', 'nonsense is not a known field.'],
    ['?action=%ff', 'The parameters cannot be read: broken percent-escape.'],
  ])('a query: %s', async (query, message) => {
    const response = await owner.send('GET', `/admin/v1/accounts/shop/audit${query}`)
    expect(response).toMatchObject({ status: 400, body: { error: { name: 'invalid_request', message } } })
  })

  test.each<[string, Record<string, string>, string]>([
    ['{', { 'content-type': 'application/json' }, 'The body is no JSON in UTF-8.'],
    ['[]', { 'content-type': 'application/json' }, 'The body is not a JSON object. Send the fields as a JSON object.'],
    [
      'name=CI',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'Send the body as JSON, with Content-Type: application/json.',
    ],
    [
      `{"name":"${'x'.repeat(300_000)}"}`,
      { 'content-type': 'application/json' },
      'The body is longer than 262144 bytes, or broke off.',
    ],
  ])('a body: %.12s', async (body, headers, message) => {
    const { token } = await harness.createTokenClient('shop', 'owner')
    const response = await fetch(`${harness.url}${tokens}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { name: 'invalid_request', message } })
  })
})

describe('a change of a versioned resource', () => {
  const site = '/admin/v1/accounts/shop/sites/shop'

  test('without If-Match is rejected with 428', async () => {
    const response = await owner.send('PATCH', site, { body: { name: 'Shop' } })
    expect([response.status, getFault(response)]).toEqual([428, 'revision_required'])
  })

  test.each(['*', '3', 'W/"3"', '"a"', '"1", "2"'])('with If-Match: %s is rejected with 400', async (field) => {
    const response = await owner.send('PATCH', site, { body: { name: 'Shop' }, headers: { 'if-match': field } })
    expect([response.status, getFault(response)]).toEqual([400, 'invalid_request'])
  })
})

describe('every response', () => {
  test.each<[string, string, number]>([
    ['GET', '/admin/v1/me', 200],
    ['GET', '/admin/v1/nowhere', 404],
    ['DELETE', '/admin/v1/me', 405],
    ['TRACK', '/admin/v1/me', 405],
    ['GET', '/admin/v1/accounts/none/members', 404],
    ['GET', '/admin/v1/accounts/shop/members/', 404],
  ])('to %s %s: %i, JSON, not cached, not framed', async (method, path, status) => {
    const response = await owner.send(method, path).catch(() => undefined)
    // fetch itself rejects some methods.
    if (response === undefined) return
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    if (status === 405) expect(response.headers.get('allow')).toMatch(/GET/)
  })

  test('503 with Retry-After if a called service is unavailable; the rest works', async () => {
    const response = await operator.send('GET', '/admin/v1/accounts')
    expect([response.status, getFault(response)]).toEqual([503, 'unavailable'])
    expect(response.headers.get('retry-after')).toBe('2')
    expect((await operator.send('GET', '/admin/v1/me')).status).toBe(200)
  })
})

test('changes and sign-ins are counted by outcome', async () => {
  await owner.send('POST', tokens, { body: { name: 'Counted', role: 'viewer' } })
  await owner.send('POST', tokens, { body: { name: 'Counted', role: 'king' } })
  const metrics = await (await fetch(`http://localhost:${harness.replica.operations_port}/metrics`)).text()
  expect(metrics).toMatch(
    /sociallogin_console_changes_total\{procedure="issueToken",outcome="ok",service_name="console"\} [1-9]/,
  )
  expect(metrics).toMatch(
    /sociallogin_console_changes_total\{procedure="issueToken",outcome="invalid_request",service_name="console"\} [1-9]/,
  )
  expect(metrics).toContain(
    'http_request_method="POST",http_route="/admin/v1/accounts/:account/tokens",http_response_status_code="200"',
  )
})

test('a defect returns 500 as JSON without its cause', async () => {
  await using other = await startConsole()
  const member = await other.createMemberClient()
  await other.knex.raw('alter table sessions rename to sessions_away')
  const { status, body } = await member.send('GET', '/admin/v1/me')
  expect([status, body]).toEqual([
    500,
    { error: { name: 'internal_error', message: expect.stringContaining('X-Request-Id') } },
  ])
})

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { providerNames } from '#contracts'
import { type Operation, resourcesOf } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { errorResponses } from './caller.ts'
import { type RawRequest, sendRawRequest } from './raw-request.ts'
import { countUsers, createTestUser, setOwnStage } from './stage.ts'

const stage = setOwnStage()

const at = (request: RawRequest) => sendRawRequest(stage.serviceStack.web_api, request)
/** Sends a GET of an operation with the key, followed by exactly this text. */
const get = (operation: string, rest = '', headers = {}) =>
  at({ path: `/api/${operation}?key=${stage.site.api_key}${rest}`, headers })
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const post = (operation: string, body: string, headers: Record<string, string> = form) =>
  at({ method: 'POST', path: `/api/${operation}`, headers: { 'x-api-key': stage.site.api_key, ...headers }, body })

describe('every response', () => {
  test('is JSON that must not be cached, rendered or read by other origins', async () => {
    for (const { headers } of [await get('appinfo'), await get('nothing'), await at({ path: '/api/appinfo' })]) {
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(
        Object.keys(headers).filter((name) => /^(access-control-|server$|x-powered-by|set-cookie)/.test(name)),
      ).toEqual([])
    }
  })
})

describe('methods', () => {
  test.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    '405 with Allow for %s, without effect',
    async (method) => {
      const before = await countUsers(stage.web_api)
      const result = await at({ method, path: `/api/create_user?key=${stage.site.api_key}` })
      expect(result.status).toBe(405)
      expect(result.headers.allow).toBe('GET, POST')
      if (method !== 'HEAD') expect(result).toMatchObject(errorResponses.method_not_allowed)
      expect(await countUsers(stage.web_api)).toBe(before)
    },
  )

  test('200 with POST as with GET', async () => {
    const identifier = await createTestUser(stage.web_api, { primary_key: 'posted-twin' })
    const byGet = await get('user_attribute', `&identifier=${identifier}`)
    const byPost = await post('user_attribute', `identifier=${identifier}`)
    expect(byPost.body).toEqual(byGet.body)
    expect(
      await post('user_attribute', `identifier=${identifier}`, {
        'content-type': `${form['content-type']}; charset=UTF-8`,
      }),
    ).toMatchObject({ status: 200 })
  })

  test('query and form of a POST are merged: a name in both is repeated', async () => {
    const { api_key } = stage.site
    const identifier = await createTestUser(stage.web_api)
    const both = { method: 'POST', headers: form, body: `identifier=${identifier}` }
    expect(await at({ ...both, path: `/api/user_attribute?key=${api_key}` })).toMatchObject({ status: 200 })
    const path = `/api/user_attribute?key=${api_key}&identifier=${identifier}`
    expect(await at({ ...both, path })).toMatchObject(errorResponses.invalid_parameter)
  })

  test.each([{ 'content-type': 'application/json' }, { 'content-type': 'multipart/form-data; boundary=x' }, {}])(
    '415/1009 for a body that is not a form, with the key in a header, in the query or in the body: %j',
    async (headers) => {
      expect(await post('appinfo', '{"a":1}', headers)).toMatchObject(errorResponses.body_not_a_form)
      const { api_key } = stage.site
      const path = '/api/appinfo'
      const body = JSON.stringify({ key: api_key })
      const responses = [
        await at({ method: 'POST', path: `${path}?key=${api_key}`, headers, body }),
        await at({ method: 'POST', path, headers, body }),
      ]
      for (const result of responses) expect(result).toMatchObject(errorResponses.body_not_a_form)
      const unknown = { method: 'POST', path: `${path}?key=unknown`, headers, body }
      expect(await at(unknown)).toMatchObject(errorResponses.invalid_api_key)
    },
  )

  test('401/1 for a key in the URL or a header immediately, before the body arrives', async () => {
    const { hostname, port } = new URL(stage.serviceStack.web_api)
    for (const headers of [{ 'x-api-key': 'unknown' }, { authorization: 'Bearer unknown' }]) {
      const sending = request({
        hostname,
        port,
        method: 'POST',
        path: '/api/appinfo',
        agent: false,
        headers: { ...form, ...headers, 'content-length': '10000' },
      })
      sending.on('error', () => {})
      sending.write('a=1')
      const [response] = await once(sending, 'response')
      expect(response.statusCode).toBe(401)
      expect(response.headers.connection).toBe('close')
      sending.destroy()
    }
  })

  test('the time to receive the body is not measured', async () => {
    const { hostname, port } = new URL(stage.serviceStack.web_api)
    const sending = request({
      hostname,
      port,
      method: 'POST',
      path: '/api/providers',
      agent: false,
      headers: { ...form, 'x-api-key': stage.site.api_key, 'content-length': '3' },
    })
    sending.write('a')
    await delay(700)
    sending.end('=1')
    const [response] = await once(sending, 'response')
    response.resume()
    expect(response.statusCode).toBe(200)
    const [gateway] = stage.serviceStack.services.api_gateway
    const measured = await (await fetch(`http://localhost:${gateway?.operations_port}/metrics`)).text()
    const bucket = (le: string) =>
      Number(
        new RegExp(
          `^http_server_request_duration_seconds_bucket{le="${le}",service_name="api-gateway",http_request_method="POST",http_route="providers",http_response_status_code="200"} (\\d+)$`,
          'm',
        ).exec(measured)?.[1],
      )
    expect(bucket('0.5')).toBe(bucket('\\+Inf'))
    expect(bucket('\\+Inf')).toBeGreaterThan(0)
  })
})

describe('paths', () => {
  test.each([
    '/api/nothing',
    '/api/appinfo/',
    '/api//appinfo',
    '//api/appinfo',
    '/API/appinfo',
    '/api/APPINFO',
    '/api/app%69nfo',
    '/api%2Fappinfo',
    '/api/./appinfo',
    '/api/appinfo;x=1',
    '/api/appinfo.json',
    '/api/constructor',
    '/api/__proto__',
    '*',
  ])('404/1008 at %s, with a key and without', async (path) => {
    expect(await at({ path: `${path}?key=${stage.site.api_key}` })).toMatchObject(errorResponses.unknown_operation)
    expect(await at({ path })).toMatchObject(errorResponses.unknown_operation)
    expect(await at({ method: 'PUT', path })).toMatchObject(errorResponses.unknown_operation)
  })

  test('a target in absolute form is served with its host (RFC 9112 3.2.2)', async () => {
    const { host } = new URL(stage.serviceStack.web_api)
    const target = `http://${host}/api/appinfo?key=${stage.site.api_key}`
    expect(await at({ path: target, headers: { host: 'other.example.com' } })).toMatchObject({ status: 200 })
    expect(await at({ path: `http://${host}/api/nothing` })).toMatchObject(errorResponses.unknown_operation)
  })

  test('400/6 for two Host fields (RFC 9112 3.2)', async () => {
    const { host } = new URL(stage.serviceStack.web_api)
    for (const second of [host, 'other.example.com'])
      expect(
        await at({ path: `/api/appinfo?key=${stage.site.api_key}`, headers: ['Host', host, 'host', second] }),
      ).toMatchObject(errorResponses.invalid_parameter)
  })
})

describe('malformed parameters', () => {
  const unreadable = {
    'a broken escape': '&primary_key=%zz',
    'an escape cut off': '&primary_key=%e',
    'a character cut off': '&primary_key=%e3%81',
    'an overlong encoding': '&primary_key=%c0%80',
    'a lone surrogate': '&primary_key=%ed%a0%80',
    'Latin-1': '&primary_key=%e9',
    NUL: '&primary_key=a%00b',
    'a broken name': '&%zz=1',
    'a broken unknown parameter': '&whatever=%',
    'a repeated parameter': '&primary_key=a&primary_key=a',
    'a repeated unknown parameter': '&whatever=1&whatever=2',
    'a repeat by an escape': '&primary_key=a&primary%5Fkey=b',
    'a repeat without a value': '&primary_key=a&primary_key',
    'more than 64 parameters': Array.from({ length: 65 }, (_, index) => `&p${index}=1`).join(''),
    'more than 16 kB': `&whatever=${'x'.repeat(16_384)}`,
    '16 kB of nothing but names': '&a'.repeat(8_000),
    '16 kB of nothing': '&'.repeat(16_386),
  }

  test.each(Object.entries(unreadable))('400/6 for %s in the query, without effect', async (_, text) => {
    const before = await countUsers(stage.web_api)
    expect(await get('create_user', text)).toMatchObject(errorResponses.invalid_parameter)
    expect(await countUsers(stage.web_api)).toBe(before)
  })

  test.each(Object.entries(unreadable))(
    '400/6 for %s in a form, with the key in a field or in the form',
    async (_, text) => {
      expect(await post('create_user', text.slice(1))).toMatchObject(errorResponses.invalid_parameter)
      const body = `key=${stage.site.api_key}${text}`
      const result = await at({ method: 'POST', path: '/api/create_user', headers: form, body })
      // A form that is too long is not read, so its key is not found.
      expect(result).toMatchObject(
        body.length > 16_384 ? errorResponses.invalid_api_key : errorResponses.invalid_parameter,
      )
    },
  )

  test.each(Object.values(unreadable))('401/1 before 400/6: without a readable key (%#)', async (text) => {
    expect(await at({ path: `/api/create_user?key=unknown${text}` })).toMatchObject(errorResponses.invalid_api_key)
    expect(await at({ path: `/api/create_user?${text.slice(1)}` })).toMatchObject(errorResponses.invalid_api_key)
  })

  test('400/6 also at operations without parameters', async () => {
    expect(await get('appinfo', '&a=1&a=1')).toMatchObject(errorResponses.invalid_parameter)
    expect(await get('providers', '&a=%')).toMatchObject(errorResponses.invalid_parameter)
  })

  test('431 for a query beyond the limit of header fields', async () => {
    const { hostname, port } = new URL(stage.serviceStack.web_api)
    const response = await fetch(`http://${hostname}:${port}/api/appinfo?${'x'.repeat(40_000)}`)
    expect(response.status).toBe(431)
  })
})

test.each([
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '__proto__[identifier]',
  'provider_user_ids[__proto__]',
])('200: the unknown parameter %s is ignored', async (name) => {
  expect(await get('appinfo', `&${name}=polluted`)).toMatchObject({ status: 200 })
  expect(await get('user_attribute', `&${name}=polluted`)).toMatchObject(errorResponses.parameter_missing)
  expect(Object.hasOwn(Object.prototype, 'identifier')).toBe(false)
})

describe('browsers', () => {
  const browsing = [
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'same-site' },
  ]
  /** Header fields that `fetch` of server-side runtimes adds: Node (observed below), Deno 2 and Bun 1 (documented). */
  const servers = {
    Node: { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' },
    Deno: { accept: '*/*', 'accept-language': '*', 'user-agent': 'Deno/2.1.4' },
    Bun: { accept: '*/*', 'user-agent': 'Bun/1.2.0', connection: 'keep-alive' },
  }

  const writing = operations.filter(({ writes }) => writes)
  const writingText = ({ writes, example }: Operation) => {
    const { query } = example(providerNames())
    return `&${new URLSearchParams(typeof writes === 'string' ? { ...query, [writes]: 'y' } : query)}`
  }

  describe.each(browsing)('with %j', (headers) => {
    test.each(writing)('403/1004 at $name, which writes', async (operation) => {
      for (const resource of resourcesOf(operation, providerNames()))
        expect(await get(resource, writingText(operation), headers)).toMatchObject(errorResponses.server_call_only)
    })

    test('403/1004 without effect', async () => {
      const identifier = await createTestUser(stage.web_api)
      const before = await countUsers(stage.web_api)
      for (const [operation, rest] of [
        ['create_user', ''],
        ['map', `&identifier=${identifier}&primary_key=p`],
        ['delete_profile', `&identifier=${identifier}`],
        ['delete_user', `&identifier=${identifier}`],
      ] as const)
        expect(await get(operation, rest, headers)).toMatchObject(errorResponses.server_call_only)
      expect(await countUsers(stage.web_api)).toBe(before)
      const { body } = await get('user_attribute', `&identifier=${identifier}`)
      expect(body).toMatchObject({ user: { primary_key: null, profile_prohibited: false } })
    })

    test('200 at operations that read', async () => {
      const identifier = await createTestUser(stage.web_api)
      for (const [operation, rest] of [
        ['appinfo', ''],
        ['providers', ''],
        ['users', ''],
        ['user_attribute', `&identifier=${identifier}`],
        ['profile', `&identifier=${identifier}`],
        ['profile', `&identifier=${identifier}&delete_profile=no`],
        ['profile_from_providers', `&identifier=${identifier}&target_provider=search`],
        ['providers_of_user', `&identifier=${identifier}`],
      ] as const)
        expect(await get(operation, rest, headers)).toMatchObject({ status: 200 })
    })
  })

  test.each(Object.entries(servers))(
    '200 for the headers of %s’s fetch at an operation that writes',
    async (_, headers) => {
      expect(await get('create_user', '', headers)).toMatchObject({ status: 200 })
    },
  )

  test('200 for Node’s own fetch, which sends Sec-Fetch-Mode', async () => {
    const seen = createServer((incoming, response) => response.end(JSON.stringify(incoming.headers)))
    await once(seen.listen(0, '127.0.0.1'), 'listening')
    const { port } = seen.address() as AddressInfo // as it listens on a port
    const sent: unknown = await (await fetch(`http://127.0.0.1:${port}`)).json()
    seen.close()
    expect(sent).toMatchObject({ 'sec-fetch-mode': 'cors' })
    expect(sent).not.toHaveProperty('sec-fetch-site')
    expect((await fetch(`${stage.serviceStack.web_api}/create_user?key=${stage.site.api_key}`)).status).toBe(200)
  })

  test('403/1004 is checked after 401/1 and before 400/5 and 400/6', async () => {
    const headers = { 'sec-fetch-mode': 'navigate' }
    expect(await at({ path: '/api/map', headers })).toMatchObject(errorResponses.invalid_api_key)
    expect(await get('map', '', headers)).toMatchObject(errorResponses.server_call_only)
    expect(await get('map', '&identifier=%zz', headers)).toMatchObject(errorResponses.server_call_only)
  })
})

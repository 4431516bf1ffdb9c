import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '#contracts'
import { newToken } from '#runtime'
import { passClockSteps } from '#testing'
import { createLoginsFixture, type SharedLogins, type TestClient } from './logins.ts'
import { expectEventData } from './user-events.ts'

const logins = createLoginsFixture()
let client: TestClient
beforeAll(async () => {
  client = await logins.registerClient({ user_metadata_write: true })
})

const scope = ['openid', 'user_metadata:write']

async function logIn(options: Parameters<SharedLogins['endLogin']>[1] = {}, of = client) {
  const { code, identifier } = await logins.endLogin(of.client_id, { scope, ...options })
  const { access_token } = await logins.fetchTokens(of, code)
  return { access_token, identifier, user: { site: logins.site, identifier } }
}

type Headers = Readonly<Record<string, string>>

function send(accessToken: string, init: RequestInit & { headers?: Headers } = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${accessToken}`, ...init.headers }
  return fetch(`${logins.auth}/oauth2/user-metadata`, { ...init, headers })
}

const mergePatch = { 'content-type': 'application/merge-patch+json' }

function patch(accessToken: string, body: unknown, headers: Headers = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return send(accessToken, { method: 'PATCH', body: text, headers: { ...mergePatch, ...headers } })
}

const ErrorBody = z.looseObject({ error: z.string(), error_description: z.string() })

async function expectError(response: Response, status: number, error: string) {
  const body = ErrorBody.parse(await response.json())
  expect({ status: response.status, error: body.error }).toEqual({ status, error })
  return body
}

async function expectInvalidToken(response: Response): Promise<void> {
  expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  await expectError(response, 401, 'invalid_token')
}

const readMetadata = (user: { readonly site: number; readonly identifier: string }) =>
  logins.serviceStack.identity.readMetadata(user, logins.serviceStack.call())

test('a patch changes user_metadata only, and its event names the client', async () => {
  const { serviceStack } = logins
  const { access_token, user } = await logIn()
  const metadata = {
    user_metadata: { language: 'ja', address: { city: 'Osaka', zip: '1' } },
    app_metadata: { plan: 'a' },
  }
  await serviceStack.identity.changeMetadata({ ...user, ...metadata, replace: true }, serviceStack.call())
  const before = await send(access_token)
  expect([before.status, before.headers.get('etag'), await before.json()]).toEqual([200, '"1"', metadata.user_metadata])

  const change = { language: null, address: { zip: null }, app_metadata: { plan: 'premium' } }
  const response = await patch(access_token, change)
  const after = { address: { city: 'Osaka' }, app_metadata: { plan: 'premium' } }
  expect([response.status, response.headers.get('etag'), await response.json()]).toEqual([200, '"2"', after])
  // A repeat, and the media type of programs that cannot set another one.
  const repeat = await patch(access_token, change, { 'content-type': 'application/json; charset=utf-8' })
  expect([repeat.headers.get('etag'), await repeat.json()]).toEqual(['"2"', after])
  expect(await readMetadata(user)).toMatchObject({ user_metadata: after, app_metadata: { plan: 'a' }, revision: 2 })
  await expectEventData(serviceStack, user, 'user.metadata_changed', [
    { ...metadata, revision: 1 },
    { user_metadata: after, app_metadata: { plan: 'a' }, revision: 2, client_id: client.client_id },
  ])
})

test('If-Match makes a patch conditional', async () => {
  const { access_token, user } = await logIn()
  const ifMatch = (tag: string) => patch(access_token, { tag }, { 'if-match': tag })
  for (const [tag, revision] of [
    ['"0"', 1],
    ['*', 2],
    ['W/"2"', 3],
  ] as const)
    expect((await ifMatch(tag)).headers.get('etag')).toBe(`"${revision}"`)
  for (const tag of ['"2"', '"abc"', '"99999999999"', 'W/"1"'])
    await expectError(await ifMatch(tag), 412, 'invalid_request')
  for (const tag of ['"3", "2"', '3', '""3']) await expectError(await ifMatch(tag), 400, 'invalid_request')
  expect(await readMetadata(user)).toMatchObject({ user_metadata: { tag: 'W/"2"' }, revision: 3 })
})

test('403 without the scope, and as soon as the client may no longer use it', async () => {
  const { serviceStack, site } = logins
  const own = await logins.registerClient({ user_metadata_write: true })
  const without = await logIn({ scope: ['openid', 'profile'] }, own)
  const { access_token, user } = await logIn({}, own)
  expect((await patch(access_token, { a: 1 })).status).toBe(200)

  const name = { site, client_id: own.client_id }
  const { revision } = await serviceStack.provider_auth.readClient(name, serviceStack.call())
  const change = { ...name, expected_revision: revision, user_metadata_write: false }
  await serviceStack.provider_auth.changeClient(change, serviceStack.call())
  for (const token of [without.access_token, access_token])
    for (const response of [await send(token), await patch(token, { a: 2 })]) {
      expect(response.headers.get('www-authenticate')).toBe(
        'Bearer error="insufficient_scope", scope="openid user_metadata:write"',
      )
      await expectError(response, 403, 'insufficient_scope')
    }
  expect(await readMetadata(user)).toMatchObject({ user_metadata: { a: 1 } })
})

test('401 without a token, with one in the URL, and for users who were blocked, merged, deleted, or whose sessions ended', async () => {
  const { identity, call } = logins.serviceStack
  const address = `${logins.auth}/oauth2/user-metadata`
  expect((await fetch(address, { method: 'PATCH', body: '{}' })).headers.get('www-authenticate')).toBe('Bearer')
  expect((await fetch(`${address}?access_token=x`)).status).toBe(400)
  const [blocked, merged, deleted, ended] = await Promise.all([logIn(), logIn(), logIn(), logIn()])
  await passClockSteps()
  const { site } = logins
  const links = [{ provider: 'search', provider_user_id: newToken('S') } as const]
  const { user: destination } = await identity.createUser({ site, links }, call())
  await identity.blockUser({ ...blocked.user, until: null, reason: null, by: 'member' }, call())
  const merging = { source: { identifier: merged.identifier }, destination: { identifier: destination.identifier } }
  await identity.mergeUsers({ site, ...merging, nomerge: false }, call())
  await identity.deleteUser(deleted.user, call())
  await identity.endUserSessions(ended.user, call())
  for (const { access_token } of [blocked, merged, deleted, ended]) {
    await expectInvalidToken(await send(access_token))
    await expectInvalidToken(await patch(access_token, { a: 1 }))
  }
  await expectInvalidToken(await patch('slat_1.unknown', { a: 1 }))
  for (const { user } of [blocked, ended]) expect(await readMetadata(user)).toMatchObject({ revision: 0 })
})

test('a patch that cannot be stored is rejected with what is wrong with it', async () => {
  const { serviceStack, site } = logins
  const { access_token, user } = await logIn()
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })
  for (const [body, problem] of [
    ['{', 'The body is no JSON in UTF-8.'],
    ['', 'Send a JSON object.'],
    ['[]', 'Send a JSON object.'],
    ['null', 'Send a JSON object.'],
    ['{"a":12345678901234567890}', 'A number has more digits than can be stored exactly. Send it as a string.'],
    [nested(9), 'user_metadata must have at most 8 levels of objects and arrays.'],
    [{ a: '\u0000' }, 'user_metadata must have no NUL and no unpaired surrogate.'],
    [{ a: 'x'.repeat(20_000) }, 'The body is longer than 16384 bytes, or broke off.'],
  ] as const) {
    const { error_description } = await expectError(await patch(access_token, body), 400, 'invalid_request')
    expect(error_description).toBe(`The patch is invalid. ${problem}`)
  }
  const large = await expectError(await patch(access_token, { a: 'x'.repeat(8_190) }), 400, 'invalid_request')
  expect(large.error_description).toContain(`${limits.metadata_bytes} bytes`)
  const text = await patch(access_token, 'a=1', { 'content-type': 'text/plain' })
  expect(text.headers.get('accept-patch')).toBe('application/merge-patch+json, application/json')
  await expectError(text, 415, 'invalid_request')

  const schema = { properties: { language: { enum: ['ja', 'en'] } } }
  const change = { site, expected_revision: 0, user_metadata_schema: schema }
  await serviceStack.identity.changeMetadataSchemas(change, serviceStack.call())
  expect(await expectError(await patch(access_token, { language: 'secret' }), 400, 'invalid_request')).toEqual({
    error: 'invalid_request',
    error_description: 'user_metadata breaks the rule enum of the schema at /language.',
    place: '/language',
    rule: 'enum',
  })
  expect(await readMetadata(user)).toMatchObject({ revision: 0 })
})

test('changes are limited by user, with every token of the user', async () => {
  const [one, other] = [await logIn(), await logIn()]
  const second = await logIn({ identifier: one.identifier })
  const responses: Response[] = []
  for (let sent = 0; sent < limits.metadata_changes_per_window + 1; sent += 1)
    responses.push(await patch(sent % 2 === 0 ? one.access_token : second.access_token, { a: sent }))
  const last = responses.pop()
  for (const { status } of responses) expect(status).toBe(200)
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(last?.status).toBe(429)
  expect((await send(one.access_token)).status).toBe(200)
  expect((await patch(other.access_token, { a: 1 })).status).toBe(200)
})

test('scripts of any origin may send patches and read the ETag', async () => {
  const preflight = await fetch(`${logins.auth}/oauth2/user-metadata`, {
    method: 'OPTIONS',
    headers: { origin: 'https://spa.example.com', 'access-control-request-method': 'PATCH' },
  })
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, PATCH')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Content-Type, If-Match')
  const { access_token } = await logIn()
  const { headers } = await patch(access_token, { a: 1 }, { origin: 'https://spa.example.com' })
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-expose-headers')).toContain('ETag')
  const rejected = await send(access_token, { method: 'DELETE' })
  expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'OPTIONS, HEAD, GET, PATCH'])
})

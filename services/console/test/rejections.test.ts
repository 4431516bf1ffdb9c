import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { limits } from '#contracts'
import { seedSite } from '#testing'
import { getText } from './harness.ts'
import { createUsageFixture, waitForReports } from './usage-fixture.ts'

const stage = createUsageFixture()

/** Values that must never be stored. */
const secrets = [
  's3cret-state',
  's3cret-nonce',
  's3cret-session',
  's3cret-hint',
  's3cret-verifier',
  's3cret-code',
  'wrong-s3cret',
]

let callers = 0
async function requestId(address: string, init: RequestInit = {}): Promise<string> {
  const from = `192.0.2.${(callers++ % 250) + 1}`
  const headers = { 'x-forwarded-for': from, ...init.headers }
  const response = await fetch(address, { redirect: 'manual', ...init, headers })
  expect(response.status).toBeLessThan(500)
  return response.headers.get('x-request-id') ?? ''
}

function authorize(changes: Record<string, string | undefined>, base = `${stage.serviceStack.auth}/oauth2/authorize`) {
  const { client_id, redirect_uri } = stage.site.client
  const usual = {
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid',
    state: 's3cret-state',
    nonce: 's3cret-nonce',
  }
  const given = Object.entries({ ...usual, id_token_hint: 's3cret-hint', ...changes }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return requestId(`${base}?${new URLSearchParams(given)}`)
}

function requestToken(form: Record<string, string>, headers: Record<string, string> = {}) {
  const { client_id, client_secret, redirect_uri } = stage.site.client
  const usual = { grant_type: 'authorization_code', code: 's3cret-code', redirect_uri, client_id, client_secret }
  return requestId(`${stage.serviceStack.auth}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...usual, code_verifier: 's3cret-verifier', ...form }),
    headers,
  })
}

async function explain(requestId: string): Promise<unknown> {
  return (await stage.request('GET', `/requests/${requestId}`)).body
}

// Concurrent, because each waits for reports that are sent every two seconds.
test.concurrent('`login_required` is not a rejection: a request with prompt=none is not listed', async () => {
  const response = await authorize({ prompt: 'none', id_token_hint: undefined })
  const rejected = await authorize({ scope: 'profile', id_token_hint: undefined })
  await waitForReports(async () => expect(await explain(rejected)).toMatchObject({ error: 'invalid_scope' }))
  expect(await explain(response)).toMatchObject({ error: { name: 'not_found' } })
})

test.concurrent('a rejected authorization request is explained by its Request ID, with the received and the registered redirect URIs', async () => {
  const { client_id, redirect_uri } = stage.site.client
  const wrong = await authorize({ redirect_uri: 'https://shop.example.com/other?session=s3cret-session&x#s3cret-hint' })
  await waitForReports(async () =>
    expect(await explain(wrong)).toEqual({
      request_id: wrong,
      at: expect.stringMatching(/Z$/),
      endpoint: 'authorization',
      client_id,
      redirect_uri: 'https://shop.example.com/other?session&x#',
      registered_redirect_uris: [redirect_uri],
      error: null,
      error_description: null,
      reason: 'redirect_uri_invalid',
      explanation: expect.stringContaining('is not registered'),
    }),
  )
  const redirected = await authorize({ scope: 'profile', id_token_hint: undefined })
  const unknown = await authorize({ client_id: 'nobody' }, stage.site.providers.search.authorize_uri)
  const sitePage = await requestId(
    `${stage.serviceStack.auth}/${stage.site.account}/${stage.site.site_id}/search/authenticate?callback=https://x.example/`,
  )
  await waitForReports(async () =>
    expect(await explain(redirected)).toMatchObject({
      reason: 'sent_to_application',
      error: 'invalid_scope',
      error_description: 'openid scope is required.',
      redirect_uri,
    }),
  )
  await waitForReports(async () =>
    expect(await explain(unknown)).toMatchObject({
      client_id: 'nobody',
      reason: 'client_id_invalid',
      registered_redirect_uris: [],
    }),
  )
  await waitForReports(async () =>
    expect(await explain(sitePage)).toMatchObject({ reason: 'callback_invalid', redirect_uri: 'https://x.example/' }),
  )
})

test.concurrent.each<[string, Record<string, string>, object]>([
  ['a code that is none', {}, { reason: 'code_invalid', error: 'invalid_grant' }],
  ['a wrong secret', { client_secret: 'wrong-s3cret' }, { reason: 'client_secret_wrong', error: 'invalid_client' }],
  ['no secret', { client_secret: '' }, { reason: 'client_secret_missing', error: 'invalid_client' }],
  ['another grant', { grant_type: 'password' }, { reason: 'request_invalid', error: 'unsupported_grant_type' }],
])('a rejected token request has a more specific explanation than its response: %s', async (_, form, expected) => {
  const requestId = await requestToken(form)
  await waitForReports(async () =>
    expect(await explain(requestId)).toMatchObject({
      endpoint: 'token',
      client_id: stage.site.client.client_id,
      explanation: expect.any(String),
      ...expected,
    }),
  )
})

test.concurrent('a rejected request of a native app is explained', async () => {
  const { account, site_id } = stage.site
  const rejected = await requestId(`${stage.serviceStack.auth}/${account}/${site_id}/search/inject`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id_token: 's3cret-code', nonce: 's3cret-nonce' }),
  })
  await waitForReports(async () =>
    expect(await explain(rejected)).toMatchObject({
      endpoint: 'native_login',
      client_id: null,
      redirect_uri: null,
      error: 'unauthorized_client',
      error_description: expect.stringContaining('native apps'),
      reason: 'native_login_rejected',
      explanation: expect.stringContaining('do not prove a login'),
    }),
  )
})

test('a client’s rejected requests are listed newest first, only for its site, without secrets', async () => {
  const { client_id } = stage.site.client
  const last = await requestToken({ client_secret: 'wrong-s3cret' })
  const read = async () =>
    adminApi.listRejections.output.parse((await stage.request('GET', `/clients/${client_id}/rejections`)).body)
      .rejections
  await waitForReports(async () =>
    expect((await read()).find((one) => one.request_id === last)).toMatchObject({ reason: 'client_secret_wrong' }),
  )
  const listed = await read()
  expect(new Set(listed.map((one) => one.client_id))).toEqual(new Set([client_id]))
  expect(listed.map(({ at }) => at)).toEqual(
    listed
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )

  const at = `/accounts/${stage.site.account}/sites`
  await stage.requestAdminApi('POST', at, { site_id: 'neighbour', name: 'N', kind: 'development' })
  expect(await stage.requestAdminApi('GET', `${at}/neighbour/requests/${last}`)).toMatchObject({ status: 404 })
  const foreign = await stage.requestAdminApi('GET', `${at}/neighbour/clients/${client_id}/rejections`)
  expect(foreign.status).toBe(404)

  const rows = JSON.stringify(await stage.knex('rejections'))
  for (const secret of secrets) expect(rows).not.toContain(secret)
  expect(rows).not.toContain('192.0.2.')
})

test('a rejection of a client with an ID of 128 characters, as clients of other systems have, belongs to its site', async () => {
  const clientId = 'x'.repeat(128 - 36) + randomUUID()
  const client = {
    kind: 'confidential',
    client_id: clientId,
    client_secret: randomBytes(16).toString('hex'),
    name: 'Moved',
    redirect_uris: [stage.site.client.redirect_uri],
  }
  expect(await stage.request('POST', '/clients/existing', client)).toMatchObject({ status: 200 })
  const wrong = await authorize({ client_id: clientId, scope: 'profile' })
  await waitForReports(async () => expect(await explain(wrong)).toMatchObject({ client_id: clientId }))
})

test('an unknown ID is not found', async () => {
  const response = await stage.request('GET', `/requests/${randomUUID()}`)
  expect([response.status, getText(response, 'error', 'reason')]).toEqual([404, 'request_not_found'])
})

test('a flood of rejected requests fills neither memory nor the database', async () => {
  // Of a site of its own: it leaves no room for other requests of its site until the next report.
  const { site, client } = await seedSite(stage.serviceStack)
  const { client_id, redirect_uri } = client
  const rows = (count: number, days: number) =>
    Array.from({ length: count }, (_, n) => ({
      request_id: randomUUID(),
      at: new Date(Date.now() - days * 86_400_000 - n),
      site,
      endpoint: 'token',
      client_id,
      redirect_uri,
      registered_redirect_uris: [],
      reason: 'code_invalid',
    }))
  for (let part = 0; part < 6; part++) await stage.knex('rejections').insert(rows(1_000, 1))
  const startedAt = performance.now()
  const wrong = { client_id, redirect_uri, client_secret: 'wrong-s3cret' }
  const flood = await Promise.all(Array.from({ length: 300 }, () => requestToken(wrong)))
  await waitForReports(async () => {
    const flooded = await stage.knex('rejections').whereIn('request_id', flood)
    expect(flooded.length).toBeGreaterThan(0)
    // A report every two seconds, with at most 50 of a site.
    const reports = 1 + Math.ceil((performance.now() - startedAt) / 2_000)
    expect(flooded.length).toBeLessThanOrEqual(50 * reports)
    const stored: unknown[] = await stage.knex('rejections').where({ site }).select('request_id')
    expect(stored.length).toBeLessThanOrEqual(limits.stored_rejections_per_site)
  })
})

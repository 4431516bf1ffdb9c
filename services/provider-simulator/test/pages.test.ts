import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advanceTime,
  locationOf,
  openForm,
  register,
  sendForm,
  signIn,
  startSimulator,
  withQuery,
} from './simulator.ts'

const redirectUri = 'http://localhost:9/callback'
const client = { provider: 'search', client_id: 'an-app', client_secret: 'secret', redirect_uris: [redirectUri] }

let url: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
  url = simulator.url
  await register(url, client)
})
afterAll(() => simulator[Symbol.asyncDispose]())

function authorization(clientId = 'an-app'): string {
  const scope = 'openid email profile'
  return withQuery(`${url}/search/o/oauth2/v2/auth`, {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state: 's',
  })
}

describe('sign-in page', () => {
  test('is one form without script: a field user and the buttons allow and deny', async () => {
    const { html } = await openForm(authorization())
    expect(html.match(/<form /g)).toHaveLength(1)
    expect(html).toMatch(/<label for="user">/)
    expect(html).toMatch(/<input id="user" name="user"/)
    expect(html.match(/<button[^>]*>/g)).toEqual([
      expect.stringContaining('name="decision" value="allow"'),
      expect.stringContaining('name="decision" value="deny"'),
    ])
    expect(html).not.toMatch(/<script|style=|<style/)
  })

  test.each([
    ['nothing', ''],
    ['only spaces', '   '],
    ['sixty-one characters', 'x'.repeat(61)],
    ['a control character', 'a\u0001b'],
  ])('is shown again with a message, and can be submitted, if the name is %s', async (_, user) => {
    const { handle } = await openForm(authorization())
    const response = await sendForm(url, { handle, user, decision: 'allow' })
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(/role="alert">Enter a name/)
    const next = await sendForm(url, { handle, user: 'hanako', decision: 'allow' })
    expect(locationOf(next).searchParams.has('code')).toBe(true)
  })

  test('requires a decision', async () => {
    const { handle } = await openForm(authorization())
    const response = await sendForm(url, { handle, user: 'hanako' })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  })

  test('deny requires no name', async () => {
    expect((await signIn(authorization(), { decision: 'deny' })).searchParams.get('error')).toBe('access_denied')
  })

  test('can be submitted once, within ten minutes', async () => {
    const { handle } = await openForm(authorization())
    expect((await sendForm(url, { handle, user: 'hanako', decision: 'allow' })).status).toBe(302)
    const again = await sendForm(url, { handle, user: 'hanako', decision: 'allow' })
    expect({ status: again.status, location: again.headers.get('location') }).toEqual({ status: 400, location: null })
    const { handle: slow } = await openForm(authorization())
    advanceTime(601)
    expect((await sendForm(url, { handle: slow, decision: 'deny' })).status).toBe(400)
  })

  test('ignores parameters of the request in the form', async () => {
    const callback = await signIn(authorization(), {
      user: 'hanako',
      redirect_uri: 'http://evil.example/',
      state: 'forged',
      scope: 'openid',
    })
    expect(callback.origin).toBe('http://localhost:9')
    expect(callback.searchParams.get('state')).toBe('s')
    expect(callback.searchParams.get('scope')).toMatch(/email profile/)
  })

  test('shows any application name as text', async () => {
    await register(url, { ...client, client_id: 'hostile', name: '<img src=x onerror=alert(1)>' })
    const { html } = await openForm(authorization('hostile'))
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })

  test('allows no frames and no scripts, and a form that can redirect to any site', async () => {
    const response = await fetch(authorization())
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' http: https:; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

describe('clients', () => {
  test('201 for a registered client; registering the same id again replaces it', async () => {
    const first = await register(url, { ...client, client_id: 'replaced' })
    expect({ status: first.status, json: await first.json() }).toEqual({
      status: 201,
      json: { provider: 'search', client_id: 'replaced' },
    })
    expect((await fetch(authorization('replaced'))).status).toBe(200)
    await register(url, { ...client, client_id: 'replaced', redirect_uris: ['http://localhost:9/other'] })
    expect((await fetch(authorization('replaced'))).status).toBe(400)
  })

  test('a client exists only at its provider', async () => {
    const { status } = await fetch(
      withQuery(`${url}/messaging/oauth2/v2.1/authorize`, { client_id: 'an-app', redirect_uri: redirectUri }),
    )
    expect(status).toBe(400)
  })

  test.each([
    [{ provider: 'shopping' }, 'provider'],
    [{ client_id: 'a b' }, 'client_id'],
    [{ client_secret: '' }, 'client_secret'],
    [{ redirect_uris: [] }, 'redirect_uris'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris.0'],
    [{ redirect_uris: ['http://localhost/#fragment'] }, 'redirect_uris.0'],
    [{ official_account: 'yes' }, 'official_account'],
    [{ userinfo_approved: 'no' }, 'userinfo_approved'],
    [{ appsecret_proof_required: 1 }, 'appsecret_proof_required'],
    [{ deauthorize_uri: 'javascript:alert(1)' }, 'deauthorize_uri'],
    [{ data_deletion_uri: 'shop' }, 'data_deletion_uri'],
    [{ api_v1: 'no' }, 'api_v1'],
  ])('400 with the field name for %o', async (changes, field) => {
    const response = await register(url, { ...client, client_id: 'refused', ...changes })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: 'invalid_client_metadata',
      error_description: expect.stringContaining(`${field}: `),
    })
    expect((await fetch(authorization('refused'))).status).toBe(401)
  })

  test('400 for a body that is not JSON or has another content type', async () => {
    const send = (body: string, type: string) =>
      fetch(`${url}/clients`, { method: 'POST', headers: { 'content-type': type }, body })
    expect((await send('{', 'application/json')).status).toBe(400)
    expect((await send(JSON.stringify(client), 'text/plain')).status).toBe(400)
  })
})

test('the start page lists the endpoints of each provider', async () => {
  const html = await (await fetch(url)).text()
  for (const path of [
    '/messaging/oauth2/v2.1/verify',
    '/messaging/friendship/v1/status',
    '/portal/yconnect/v2/attribute',
    '/search/o/oauth2/v2/auth',
    '/device/account/consent-revoked',
    '/social/v26.0/:user/permissions',
    '/microblog/oauth/request_token',
    '/microblog/2/users/me',
  ]) {
    expect(html).toContain(path)
  }
})

test('a user has a picture, which other sites can embed', async () => {
  const picture = (id: string) => fetch(`${url}/people/${id}.svg`)
  const [one, other, wrong] = await Promise.all([picture('a'.repeat(24)), picture('b1'.repeat(12)), picture('../x')])
  expect(one.headers.get('content-type')).toMatch('image/svg+xml')
  expect(one.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(await one.text()).not.toBe(await other.text())
  expect(wrong.status).toBe(404)
})

test('404 for an unknown URL: a page for a browser, JSON for a program', async () => {
  const page = await fetch(`${url}/search/nothing`, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toMatch('text/html')
  expect(page.headers.get('content-security-policy')).toMatch("default-src 'none'")
  const json = await fetch(`${url}/search/nothing`)
  expect({ status: json.status, body: await json.json() }).toMatchObject({ status: 404, body: { error: 'not_found' } })
})

test('400 for a query that cannot be parsed', async () => {
  expect((await fetch(`${url}/search/o/oauth2/v2/auth?client_id=%FF`)).status).toBe(400)
})

import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { loginProviders } from '#contracts'
import { scenarioKinds, scenarioNames } from '../scenarios/kinds.ts'
import { behave, endBehaviours, sendBehaviour } from './behaviours.ts'
import {
  address,
  get,
  locationOf,
  openForm,
  post,
  register,
  sendForm,
  signIn,
  startSimulator,
  text,
} from './simulator.ts'

const redirect_uri = 'http://localhost:9/callback'
const client_id = 'an-app'
const client_secret = 'secret-of-the-app-0123456789abcdef'

let url: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
  url = simulator.url
  const client = { client_id, client_secret, redirect_uris: [redirect_uri] }
  await Promise.all(loginProviders.map((provider) => register(url, { provider, ...client })))
})
afterAll(() => simulator[Symbol.asyncDispose]())
afterEach(async () => {
  vi.useRealTimers()
  await endBehaviours(url)
})

/** One login at each provider that gives tokens by a code; a provider joins by its addresses. */
const providers = [
  {
    provider: 'messaging',
    authorize: '/messaging/oauth2/v2.1/authorize',
    token: '/messaging/oauth2/v2.1/token',
    userinfo: '/messaging/oauth2/v2.1/userinfo',
    discovery: '/messaging/.well-known/openid-configuration',
    alg: 'HS256',
    confused: 'RS256',
    says_verified: false,
    denial: { error: 'ACCESS_DENIED' },
  },
  {
    provider: 'portal',
    authorize: '/portal/yconnect/v2/authorization',
    token: '/portal/yconnect/v2/token',
    userinfo: '/portal/yconnect/v2/attribute',
    discovery: '/portal/yconnect/v2/.well-known/openid-configuration',
    alg: 'RS256',
    confused: 'HS256',
    says_verified: true,
    denial: {},
  },
  {
    provider: 'search',
    authorize: '/search/o/oauth2/v2/auth',
    token: '/search/token',
    userinfo: '/search/v1/userinfo',
    discovery: '/search/.well-known/openid-configuration',
    alg: 'RS256',
    confused: 'HS256',
    says_verified: true,
    denial: { error: 'access_denied' },
  },
] as const
type Known = (typeof providers)[number]

const authorization = ({ provider, authorize }: Known) =>
  address(`${url}${authorize}`, {
    ...{ response_type: 'code', client_id, redirect_uri, state: 's', nonce: 'n', scope: 'openid profile email' },
    ...(provider === 'search' && { access_type: 'offline', prompt: 'consent' }),
    ...(provider === 'portal' && { bail: '1' }),
  })

const exchange = ({ token }: Known, code: string) =>
  post(`${url}${token}`, { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret })

const refresh = ({ token }: Known, refresh_token: string) =>
  post(`${url}${token}`, { grant_type: 'refresh_token', refresh_token, client_id, client_secret })

async function logIn(at: Known, user = 'Hanako') {
  const code = text((await signIn(authorization(at), { user })).searchParams.get('code'))
  const { json } = await exchange(at, code)
  const id_token = text(json.id_token)
  const [access_token, refresh_token] = [text(json.access_token), text(json.refresh_token)]
  const claims = decodeJwt(id_token)
  return {
    id_token,
    access_token,
    refresh_token,
    expires_in: json.expires_in,
    header: decodeProtectedHeader(id_token),
    claims,
  }
}

const userinfo = (at: Known, access_token: string) => get(`${url}${at.userinfo}`, access_token)

describe.each(providers)('$provider', (at) => {
  const { provider } = at

  test('a person who says no is denied after Allow too, at this provider', async () => {
    await behave(url, { behaviour: 'refuse', name: 'Hanako', provider })
    const { searchParams } = await signIn(authorization(at), { user: 'Hanako' })
    expect(searchParams.has('code')).toBe(false)
    expect(Object.fromEntries(searchParams)).toMatchObject({ ...at.denial, state: 's' })
    expect((await signIn(authorization(at), { user: 'Taro' })).searchParams.has('code')).toBe(true)
  })

  test('a provider where everybody says no shows no page', async () => {
    await behave(url, { behaviour: 'refuse', provider })
    const { searchParams } = locationOf(await fetch(authorization(at), { redirect: 'manual' }))
    expect(Object.fromEntries(searchParams)).toMatchObject({ ...at.denial, state: 's' })
  })

  test('a person without an e-mail address has none in ID Token and userinfo, though it was allowed', async () => {
    const told = async () => {
      const { claims, access_token } = await logIn(at)
      return { ...claims, ...(await userinfo(at, access_token)).json }
    }
    expect(await told()).toMatchObject({
      email: expect.stringContaining('@'),
      ...(at.says_verified && { email_verified: true }),
    })
    await behave(url, { behaviour: 'no_email', name: 'Hanako' })
    expect(Object.keys(await told()).filter((claim) => claim.startsWith('email'))).toEqual([])
  })

  test('an unverified e-mail address is told with email_verified false, where the provider says such a thing', async () => {
    await behave(url, { behaviour: 'unverified_email', name: 'Hanako' })
    const { claims, access_token } = await logIn(at)
    const told = { ...claims, ...(await userinfo(at, access_token)).json }
    expect(told).toMatchObject({ email: expect.stringContaining('@') })
    if (at.says_verified) expect(told).toMatchObject({ email_verified: false })
    else expect(told).not.toHaveProperty('email_verified')
  })

  test.each(['revoked', 'account_deleted'])('%s: tokens handed out before do not work any more', async (behaviour) => {
    const { access_token, refresh_token } = await logIn(at)
    const other = await logIn(at, 'Taro')
    expect((await userinfo(at, access_token)).status).toBe(200)
    await behave(url, { behaviour, name: 'Hanako', provider })
    expect((await userinfo(at, access_token)).status).toBe(401)
    expect(await refresh(at, refresh_token)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
    expect((await userinfo(at, other.access_token)).status).toBe(200)
  })

  test('a new login after consent was withdrawn gives tokens that work, a refresh token among them', async () => {
    await logIn(at)
    await behave(url, { behaviour: 'revoked', name: 'Hanako' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 })
    const { access_token, refresh_token } = await logIn(at)
    expect((await userinfo(at, access_token)).status).toBe(200)
    expect((await refresh(at, refresh_token)).status).toBe(200)
  })

  test('nobody signs in to a deleted account; the page says so and can be answered with another name', async () => {
    await behave(url, { behaviour: 'account_deleted', name: 'Hanako' })
    const { handle } = await openForm(authorization(at))
    const refused = await sendForm(url, { handle, user: 'Hanako', decision: 'allow' })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('role="alert">The account of this name was deleted.')
    expect(locationOf(await sendForm(url, { handle, user: 'Taro', decision: 'allow' })).searchParams.has('code')).toBe(
      true,
    )
  })

  test('short access tokens end when expires_in says; a refresh gives the next one', async () => {
    await behave(url, { behaviour: 'short_access_tokens', name: 'Hanako', seconds: 20 })
    const { access_token, refresh_token, expires_in } = await logIn(at)
    expect(Number(expires_in)).toBeGreaterThan(17)
    expect(Number(expires_in)).toBeLessThanOrEqual(20)
    expect((await userinfo(at, access_token)).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 21_000 })
    expect((await userinfo(at, access_token)).status).toBe(401)
    const next = text((await refresh(at, refresh_token)).json.access_token)
    expect((await userinfo(at, next)).status).toBe(200)
  })

  test('with 0 seconds an access token is dead when it arrives', async () => {
    await behave(url, { behaviour: 'short_access_tokens', provider, seconds: 0 })
    const { access_token, expires_in } = await logIn(at)
    expect(expires_in).toBe(0)
    expect((await userinfo(at, access_token)).status).toBe(401)
  })

  test.each([
    ['unsigned_token', { alg: 'none' }],
    ['key_confusion', { alg: at.confused }],
    ['wrong_issuer', { iss: 'https://issuer.invalid' }],
    ['wrong_audience', { aud: 'another-application' }],
    ['wrong_nonce', { nonce: 'nonce-of-another-login' }],
  ])('%s is in the ID Token of that person and of no other', async (behaviour, lie) => {
    const tokenOf = async (user: string) => {
      const { header, claims } = await logIn(at, user)
      return { ...header, ...claims }
    }
    await behave(url, { behaviour, name: 'Hanako', provider })
    expect(await tokenOf('Hanako')).toMatchObject(lie)
    expect(await tokenOf('Taro')).not.toMatchObject(lie)
  })

  test('an ID Token of yesterday has expired a day ago', async () => {
    const { exp } = (await logIn(at)).claims
    await behave(url, { behaviour: 'expired_id_token', provider })
    const { claims } = await logIn(at)
    expect(Number(exp) - Number(claims.exp)).toBeGreaterThan(86_000)
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3_600)
  })

  test('a wrong signature has the right header', async () => {
    const { header } = await logIn(at)
    await behave(url, { behaviour: 'wrong_signature', provider })
    expect((await logIn(at)).header).toEqual(header)
  })

  test('ID Token and userinfo differ when either is about somebody else', async () => {
    const { claims } = await logIn(at)
    const subjects = async () => {
      const login = await logIn(at)
      return [login.claims.sub, (await userinfo(at, login.access_token)).json.sub]
    }
    const chosen = await behave(url, { behaviour: 'wrong_subject', provider })
    expect(await subjects()).toEqual([expect.not.stringMatching(`^${claims.sub}$`), claims.sub])
    await endBehaviours(url, chosen.id)
    await behave(url, { behaviour: 'wrong_userinfo', provider })
    expect(await subjects()).toEqual([claims.sub, expect.not.stringMatching(`^${claims.sub}$`)])
  })

  test.each([
    ['unavailable', 503, 'application/json'],
    ['rate_limited', 429, 'application/json'],
    ['html_error', 200, 'text/html'],
  ])('%s: servers get %i %s, people still their page', async (behaviour, status, type) => {
    const code = text((await signIn(authorization(at), { user: 'Hanako' })).searchParams.get('code'))
    const { id } = await behave(url, { behaviour, provider })
    for (const path of [at.token, at.userinfo, at.discovery]) {
      const response = await fetch(`${url}${path}`, { method: path === at.token ? 'POST' : 'GET' })
      expect({ path, status: response.status }).toEqual({ path, status })
      expect(response.headers.get('content-type')).toContain(type)
      expect(response.headers.has('retry-after')).toBe(status === 429)
    }
    await openForm(authorization(at))
    // What was refused was not looked at: the code is good still.
    await endBehaviours(url, id)
    expect((await exchange(at, code)).status).toBe(200)
  })

  test('servers that hang up answer nothing', async () => {
    await behave(url, { behaviour: 'hang_up', provider })
    await expect(fetch(`${url}${at.discovery}`)).rejects.toThrow('fetch failed')
    await openForm(authorization(at))
  })

  test('slow servers answer as late as was chosen', async () => {
    await behave(url, { behaviour: 'slow', provider, seconds: 0.3 })
    const began_at = performance.now()
    expect((await get(`${url}${at.discovery}`)).status).toBe(200)
    expect(performance.now() - began_at).toBeGreaterThan(290)
  })

  test('a wrong discovery document names another issuer and nothing else', async () => {
    const { json } = await get(`${url}${at.discovery}`)
    await behave(url, { behaviour: 'wrong_discovery', provider })
    expect((await get(`${url}${at.discovery}`)).json).toEqual({ ...json, issuer: 'https://issuer.invalid' })
  })
})

test('one provider’s servers are in trouble alone', async () => {
  await behave(url, { behaviour: 'unavailable', provider: 'portal' })
  expect(await Promise.all(providers.map(async ({ discovery }) => (await fetch(`${url}${discovery}`)).status))).toEqual(
    [...[200, 503, 200]],
  )
})

describe('JSON', () => {
  const Listed = z.object({
    in_force: z.array(z.looseObject({ behaviour: z.string() })),
    kinds: z.array(z.looseObject({ behaviour: z.string() })),
  })
  const list = async () => Listed.parse((await get(`${url}/behaviours`)).json)

  test('lists what there is and what is in force, until it is ended', async () => {
    expect((await list()).kinds.map(({ behaviour }) => behaviour)).toEqual(scenarioNames)
    const slow = await behave(url, { behaviour: 'slow', provider: 'search' })
    await behave(url, { behaviour: 'refuse', name: '  Hanako   Yamada ' })
    const [first, second, ...others] = (await list()).in_force
    expect(first).toEqual(slow)
    expect(first).toMatchObject({ provider: 'search', name: null, seconds: scenarioKinds.slow.seconds.usual })
    expect(second).toMatchObject({ provider: null, name: 'Hanako Yamada', seconds: null })
    expect(others).toEqual([])
    expect(await endBehaviours(url, slow.id)).toBe(204)
    expect((await list()).in_force).toEqual([second])
    expect(await endBehaviours(url, slow.id)).toBe(404)
    expect(await endBehaviours(url)).toBe(204)
    expect((await list()).in_force).toEqual([])
  })

  test('the same behaviour of the same person begins anew', async () => {
    await behave(url, { behaviour: 'short_access_tokens', name: 'Hanako', seconds: 5 })
    await behave(url, { behaviour: 'short_access_tokens', name: 'Hanako', seconds: 7 })
    expect((await list()).in_force).toEqual([expect.objectContaining({ seconds: 7 })])
  })

  test('ends by itself: after an hour, or after what was chosen', async () => {
    await behave(url, { behaviour: 'refuse', name: 'an hour' })
    await behave(url, { behaviour: 'refuse', name: 'five minutes', lasts_seconds: 300 })
    const names_after = async (seconds: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })
      return (await list()).in_force.map(({ name }) => name)
    }
    expect(await names_after(295)).toEqual(['an hour', 'five minutes'])
    expect(await names_after(10)).toEqual(['an hour'])
    expect(await names_after(3_300)).toEqual([])
  })

  test.each([
    [{ behaviour: 'kind' }, 'behaviour: Choose one'],
    [{ behaviour: 'refuse' }, 'name: Choose whom'],
    [{ behaviour: 'refuse', name: '  ' }, 'name: Type a name'],
    [{ behaviour: 'refuse', provider: 'shopping' }, 'provider: Choose one of'],
    [{ behaviour: 'refuse', name: 'Hanako', seconds: 3 }, 'seconds: Leave the seconds out'],
    [{ behaviour: 'slow' }, 'provider: Choose the provider'],
    [{ behaviour: 'slow', provider: 'search', name: 'Hanako' }, 'name: Leave the name out'],
    [{ behaviour: 'slow', provider: 'search', seconds: 0 }, 'seconds: Give 0.1 to 120'],
    [{ behaviour: 'slow', provider: 'search', seconds: '3' }, 'seconds: Give a number'],
    [{ behaviour: 'slow', provider: 'search', lasts_seconds: 86_401 }, 'lasts_seconds: Give at most'],
    [{ behaviour: 'slow', provider: 'search', lasts_seconds: 1.5 }, 'lasts_seconds: Give a whole'],
    [{ behaviour: 'refuse', name: 'Hanako', until: 'tomorrow' }, 'The JSON body: '],
    [null, 'The JSON body: '],
  ])('%j: 400 %s, and nothing is chosen', async (wanted, complaint) => {
    const response = await sendBehaviour(url, wanted)
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringContaining(complaint) },
    })
    expect((await list()).in_force).toEqual([])
  })

  test('counts only when it is called JSON, which a page of another site cannot do', async () => {
    const body = JSON.stringify({ behaviour: 'refuse', name: 'Hanako' })
    const response = await fetch(`${url}/behaviours`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
    })
    expect(response.status).toBe(400)
  })
})

describe('the page', () => {
  const open = async () => (await fetch(`${url}/behaviours`, { headers: { accept: 'text/html' } })).text()
  const tokenOf = (html: string) => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

  test('is linked from the start page and offers every behaviour', async () => {
    expect(await (await fetch(url)).text()).toContain('href="/behaviours"')
    const html = await open()
    expect([...html.matchAll(/type="radio" id="(\w+)"/g)].map(([, id]) => id)).toEqual(scenarioNames)
    expect(html).not.toMatch(/<script|style=/)
  })

  test('chooses one, says in plain words what is in force, and ends it', async () => {
    const form_token = tokenOf(await open())
    const chosen = {
      behaviour: 'slow',
      provider: 'search',
      name: '',
      seconds_slow: '3',
      seconds_short_access_tokens: '30',
    }
    const sent = await send('/behaviours', { form_token, ...chosen, lasts_seconds: '300' })
    expect({ status: sent.status, location: sent.headers.get('location') }).toEqual({
      status: 303,
      location: '/behaviours',
    })
    const html = await open()
    expect(html).toMatch(
      /<strong>The servers at search<\/strong>: Are slow \(3 seconds\)<span class="quiet">, 5 minutes more/,
    )
    const id = /name="id" value="([^"]+)"/.exec(html)?.[1] ?? ''
    expect((await send('/behaviours/end', { form_token, id })).status).toBe(303)
    expect(await open()).toContain('people and providers behave well')
  })

  test('ends all at once', async () => {
    await behave(url, { behaviour: 'refuse', name: 'Hanako' })
    await behave(url, { behaviour: 'slow', provider: 'search' })
    await send('/behaviours/end', { form_token: tokenOf(await open()) })
    expect(await open()).toContain('people and providers behave well')
  })

  test('a complaint keeps what was typed', async () => {
    const form_token = tokenOf(await open())
    const response = await send('/behaviours', { form_token, behaviour: 'slow', name: '<b>Hanako', provider: 'search' })
    expect(response.status).toBe(400)
    const html = await response.text()
    expect(html).toMatch(/role="alert">Leave the name out/)
    expect(html).toContain('value="&lt;b&gt;Hanako"')
    expect(html).toMatch(/value="slow" required\s+aria-describedby="slow-effect" checked/)
  })

  test.each(['/behaviours', '/behaviours/end'])('%s takes no form of another site', async (path) => {
    await behave(url, { behaviour: 'refuse', name: 'Hanako' })
    for (const forged of [{}, { form_token: 'guessed' }]) {
      expect((await send(path, { ...forged, behaviour: 'slow', provider: 'search' })).status).toBe(403)
    }
    expect(await open()).toContain('Says no')
    expect(await open()).not.toContain('Are slow (')
  })

  test('the sign-in page tells what is in force there', async () => {
    await behave(url, { behaviour: 'refuse', name: 'Hanako', provider: 'portal' })
    await behave(url, { behaviour: 'no_email', name: 'Taro' })
    const [messaging, portal] = providers
    const at_portal = (await openForm(authorization(portal))).html
    expect(at_portal).toContain('<strong>Hanako at portal</strong>: Says no')
    expect(at_portal).toContain('<strong>Taro at every provider</strong>: Has no e-mail address')
    const elsewhere = (await openForm(authorization(messaging))).html
    expect(elsewhere).not.toContain('Hanako at portal')
  })
})

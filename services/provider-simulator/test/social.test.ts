import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, get, openForm, post, register, signIn, startSimulator, text } from './simulator.ts'

const redirect_uri = 'http://localhost:9/callback'
const client_id = '1234567890'
const client_secret = 'app-secret'
const client = { provider: 'social', client_id, client_secret, redirect_uris: [redirect_uri] }

/** An application's addresses for notices. */
interface Received {
  readonly path: string | undefined
  readonly content_type: string | undefined
  readonly form: URLSearchParams
}
let received: Received[]
const receiver = createServer((request: IncomingMessage, response) => {
  void textOf(request).then((body) => {
    const { url: path, headers } = request
    received.push({ path, content_type: headers['content-type'], form: new URLSearchParams(body) })
    response.end('{"url":"https://shop.example.com/deletion/1","confirmation_code":"1"}')
  })
})

let url: string
let graph: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
  url = `${simulator.url}/social`
  graph = `${url}/v26.0`
  receiver.listen(0)
  await once(receiver, 'listening')
  const bound = receiver.address()
  const notices = `http://localhost:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
  await Promise.all([
    register(simulator.url, client),
    register(simulator.url, { ...client, client_id: 'other' }),
    register(simulator.url, { ...client, client_id: 'strict', appsecret_proof_required: true }),
    register(simulator.url, {
      ...client,
      ...{ client_id: 'told', name: 'The shop' },
      ...{ deauthorize_uri: `${notices}/deauthorize`, data_deletion_uri: `${notices}/data_deletion` },
    }),
  ])
})
afterAll(async () => {
  receiver.close()
  await simulator[Symbol.asyncDispose]()
})
beforeEach(() => {
  received = []
})
afterEach(() => {
  vi.useRealTimers()
})

const asked = { client_id, redirect_uri, state: 'a-/b', scope: 'public_profile,email' }
const authorization = (changes: Record<string, string> = {}) =>
  address(`${graph}/dialog/oauth`, { ...asked, ...changes })

async function codeFor(user: string, changes: Record<string, string> = {}, fields: Record<string, string> = {}) {
  return text((await signIn(authorization(changes), { user, ...fields })).searchParams.get('code'))
}

const exchange = (code: string, changes: Record<string, string> = {}) =>
  post(`${graph}/oauth/access_token`, { code, redirect_uri, client_id, client_secret, ...changes })

async function tokenFor(user: string, changes: Record<string, string> = {}, fields: Record<string, string> = {}) {
  const { client_id: id = client_id } = changes
  return text((await exchange(await codeFor(user, changes, fields), { client_id: id })).json.access_token)
}

const prolong = (fb_exchange_token: string, changes: Record<string, string> = {}) =>
  post(`${graph}/oauth/access_token`, {
    ...{ grant_type: 'fb_exchange_token', fb_exchange_token, client_id, client_secret },
    ...changes,
  })

const me = (access_token: string, parameters: Record<string, string> = {}) =>
  get(address(`${graph}/me`, parameters), access_token)

const remove = (path: string, access_token: string) =>
  fetch(`${graph}${path}`, { method: 'DELETE', headers: { authorization: `Bearer ${access_token}` } })

const graphError = (code: number, type = 'OAuthException') => ({
  error: expect.objectContaining({ type, code, message: expect.any(String), fbtrace_id: expect.any(String) }),
})

const pass_seconds = (seconds: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })
}

describe('authorization', () => {
  test('consent goes back with code and state, and with the fragment #_=_', async () => {
    const { searchParams, hash } = await signIn(authorization(), { user: 'ada' })
    expect(Object.fromEntries(searchParams)).toEqual({ code: expect.any(String), state: 'a-/b' })
    expect(hash).toBe('#_=_')
  })

  test('denial goes back as access_denied, with a reason and a number', async () => {
    const { searchParams, hash } = await signIn(authorization(), { decision: 'deny' })
    expect(Object.fromEntries(searchParams)).toEqual({
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
      state: 'a-/b',
    })
    expect(hash).toBe('#_=_')
  })

  test.each([
    ['an unknown client', { client_id: 'unknown' }],
    ['an unregistered redirect_uri', { redirect_uri: `${redirect_uri}?more=1` }],
    ['an unknown permission', { scope: 'openid,phone' }],
    ['another response_type', { response_type: 'token' }],
  ])('a page and no redirect for %s', async (_, changes) => {
    const response = await fetch(authorization(changes), { redirect: 'manual' })
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({
      status: 400,
      location: null,
    })
  })

  test('says what is shared, and offers to keep the e-mail address', async () => {
    const { html } = await openForm(authorization({ scope: 'email user_birthday' }))
    for (const shared of ['Your name and profile picture', 'Your e-mail address', 'Your birthday'])
      expect(html).toContain(shared)
    expect(html).toContain('Do not share my e-mail address')
    expect((await openForm(authorization({ scope: 'public_profile' }))).html).not.toContain('Do not share')
  })
})

describe('token endpoint', () => {
  test.each(['GET', 'POST'])('a code gives by %s a short token, and no refresh token or ID Token', async (method) => {
    const form = new URLSearchParams({ code: await codeFor('ada'), redirect_uri, client_id, client_secret })
    const endpoint = `${graph}/oauth/access_token`
    const response = await (method === 'GET' ? fetch(`${endpoint}?${form}`) : fetch(endpoint, { method, body: form }))
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^EAA[\w-]{200}$/),
      token_type: 'bearer',
      expires_in: 7_200,
    })
  })

  test.each([
    [{ client_id: 'unknown' }, 101],
    [{ client_secret: 'wrong' }, 1],
    [{ client_id: 'other' }, 100],
    [{ code: 'unknown' }, 100],
    [{ redirect_uri: 'http://localhost:9/other' }, 100],
  ])('%o is the error object with the code %i', async (changes, code) => {
    const answer = await exchange(await codeFor('ada'), changes)
    expect(answer).toEqual({ status: 400, json: graphError(code) })
  })

  test('a code works once', async () => {
    const code = await codeFor('ada')
    expect((await exchange(code)).status).toBe(200)
    expect((await exchange(code)).json).toEqual(graphError(100))
  })

  test('a token that still lives is exchanged for one of about sixty days', async () => {
    const { json } = await prolong(await tokenFor('ada'))
    expect(json).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 5_183_944 })
    pass_seconds(5_183_940)
    expect((await me(text(json.access_token))).status).toBe(200)
    pass_seconds(10)
    expect((await me(text(json.access_token))).json).toEqual(graphError(190))
  })

  test('a token that has ended, is unknown or is of another application is not exchanged', async () => {
    const access_token = await tokenFor('ada')
    expect(await prolong('unknown')).toEqual({ status: 400, json: graphError(190) })
    expect(await prolong(access_token, { client_id: 'other' })).toEqual({ status: 400, json: graphError(190) })
    pass_seconds(7_201)
    expect((await prolong(access_token)).json).toEqual({ error: expect.objectContaining({ error_subcode: 463 }) })
  })
})

describe('profile', () => {
  const fields = 'id,name,first_name,middle_name,last_name,picture.type(large),email,birthday'

  test('tells the fields that were asked for and granted; the others are left out', async () => {
    const { json } = await me(await tokenFor('Ada Augusta King'), { fields })
    expect(json).toEqual({
      id: expect.stringMatching(/^\d{17}$/),
      name: 'Ada Augusta King',
      first_name: 'Ada',
      middle_name: 'Augusta',
      last_name: 'King',
      picture: { data: { height: 200, width: 200, is_silhouette: false, url: expect.stringContaining('/people/') } },
      email: expect.stringMatching(/@social\.example$/),
    })
  })

  test('tells id and name when not asked for more', async () => {
    expect(Object.keys((await me(await tokenFor('ada'))).json)).toEqual(['id', 'name'])
  })

  test('tells with their permissions age range, birthday, gender, link, home town and location', async () => {
    const scope = 'user_age_range,user_birthday,user_gender,user_link,user_hometown,user_location'
    const more = 'age_range,birthday,gender,link,hometown,location'
    const { json } = await me(await tokenFor('grace', { scope }), { fields: more })
    expect(json).toEqual({
      id: expect.any(String),
      age_range: { min: 21 },
      birthday: expect.stringMatching(/^\d\d\/\d\d\/19\d\d$/),
      gender: expect.stringMatching(/^(fe)?male$/),
      link: expect.stringMatching(/^http/),
      hometown: { id: expect.any(String), name: expect.any(String) },
      location: { id: expect.any(String), name: expect.any(String) },
    })
  })

  test('knows a person under another id for each application', async () => {
    const [one, other] = await Promise.all([tokenFor('ada'), tokenFor('ada', { client_id: 'other' })])
    expect((await me(one)).json.id).not.toBe((await me(other)).json.id)
  })

  test('an e-mail address that was declined is not told, nor asked for again but by rerequest', async () => {
    const email = async (changes: Record<string, string>, answers: Record<string, string>) =>
      (await me(await tokenFor('shy', changes, answers), { fields: 'email' })).json.email
    expect(await email({}, { option: 'yes' })).toBeUndefined()
    expect(await email({}, {})).toBeUndefined()
    expect(await email({ auth_type: 'rerequest' }, {})).toMatch(/@/)
  })

  test.each([
    ['an unknown field', { fields: 'id,shoe_size' }, 'OAuthException'],
    ['a wrong proof', { appsecret_proof: '0'.repeat(64) }, 'GraphMethodException'],
  ])('%s is an error object of the type %s', async (_, parameters, type) => {
    const { status, json } = await me(await tokenFor('ada'), parameters)
    expect({ status, json }).toEqual({ status: 400, json: graphError(100, type) })
  })

  test('takes the right proof, and refuses to be asked without one when the application wants it so', async () => {
    const access_token = await tokenFor('ada', { client_id: 'strict' })
    const appsecret_proof = createHmac('sha256', client_secret).update(access_token).digest('hex')
    expect((await me(access_token, { appsecret_proof })).status).toBe(200)
    expect((await me(access_token)).json).toEqual(graphError(100, 'GraphMethodException'))
  })

  test('is closed without a token that lives', async () => {
    expect((await get(`${graph}/me`)).json).toEqual(graphError(2500))
    const { status, json, headers } = await me('unknown')
    expect({ status, json }).toEqual({ status: 400, json: graphError(190) })
    expect(headers.get('www-authenticate')).toMatch(/^OAuth "Facebook Platform" "invalid_token" "/)
  })
})

describe('token inspection', () => {
  const inspect = (input_token: string, access_token = `${client_id}|${client_secret}`) =>
    get(address(`${url}/debug_token`, { input_token, access_token }))

  test('tells an application whose a token is and what it may', async () => {
    const access_token = await tokenFor('ada')
    const { json } = await inspect(access_token)
    expect(json.data).toMatchObject({
      app_id: client_id,
      is_valid: true,
      scopes: ['public_profile', 'email'],
      user_id: (await me(access_token)).json.id,
    })
  })

  test('a token of another application, or of none, is not valid', async () => {
    const foreign = await inspect(await tokenFor('ada', { client_id: 'other' }))
    expect(foreign.json.data).toMatchObject({ is_valid: false })
    expect((await inspect('unknown')).json.data).toMatchObject({ is_valid: false, error: { code: 190 } })
  })

  test('is for the application’s own token, which the token endpoint gives too', async () => {
    const { json } = await post(`${graph}/oauth/access_token`, {
      ...{ grant_type: 'client_credentials', client_id, client_secret },
    })
    expect((await inspect('x', text(json.access_token))).status).toBe(200)
    expect((await inspect('x', `${client_id}|wrong`)).json).toEqual(graphError(190))
    expect((await inspect('x', await tokenFor('ada'))).json).toEqual(graphError(190))
  })
})

describe('permissions', () => {
  test('are listed, and can be taken back one by one', async () => {
    const access_token = await tokenFor('Grace Hopper')
    const listed = async () => (await get(`${graph}/me/permissions`, access_token)).json.data
    expect(await listed()).toEqual([
      { permission: 'public_profile', status: 'granted' },
      { permission: 'email', status: 'granted' },
    ])
    expect(await (await remove('/me/permissions/email', access_token)).json()).toBe(true)
    expect(await listed()).toContainEqual({ permission: 'email', status: 'declined' })
  })

  test('deleted as a whole end every token, of this application alone', async () => {
    const [first, second] = [await tokenFor('leaver'), await tokenFor('leaver')]
    const elsewhere = await tokenFor('leaver', { client_id: 'other' })
    const response = await remove('/me/permissions', first)
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: true })
    for (const access_token of [first, second]) {
      expect((await me(access_token)).json).toEqual({
        error: expect.objectContaining({ code: 190, error_subcode: 458 }),
      })
    }
    expect((await remove('/me/permissions', first)).status).toBe(400)
    expect((await me(elsewhere)).status).toBe(200)
    expect((await me(await tokenFor('leaver'))).status).toBe(200)
    expect((await me(first)).status).toBe(400)
  })

  test('are deleted by user id too, with the application’s token or the person’s own', async () => {
    const app = `${client_id}|${client_secret}`
    for (const by of ['app', 'person']) {
      const access_token = await tokenFor('leaver')
      const { id } = (await me(access_token)).json
      expect((await remove('/1/permissions', by === 'app' ? app : access_token)).status).toBe(400)
      expect((await remove(`/${id}/permissions`, by === 'app' ? app : access_token)).status).toBe(200)
      expect((await me(access_token)).status).toBe(400)
    }
  })
})

describe('a removed application is told', () => {
  /** As an application reads a signed request. */
  function read(form: URLSearchParams): unknown {
    const [signature, payload = ''] = (form.get('signed_request') ?? '').split('.')
    expect(signature).toBe(createHmac('sha256', client_secret).update(payload).digest('base64url'))
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  }
  const expectNotices = (user_id: unknown) => {
    const told = received.map(({ path, content_type, form }) => ({ path, content_type, payload: read(form) }))
    const content_type = expect.stringMatching(/^application\/x-www-form-urlencoded/)
    const payload = { user_id, algorithm: 'HMAC-SHA256', issued_at: expect.any(Number) }
    expect(told.toSorted((a, b) => (a.path ?? '').localeCompare(b.path ?? ''))).toEqual([
      { path: '/data_deletion', content_type, payload: { ...payload, expires: expect.any(Number) } },
      { path: '/deauthorize', content_type, payload },
    ])
  }

  test('by two requests signed with its secret, when a person removes it on their page', async () => {
    const { id } = (await me(await tokenFor('Ada King', { client_id: 'told' }))).json
    const settings = (fields: Record<string, string>) =>
      fetch(`${url}/settings`, { method: 'POST', body: new URLSearchParams(fields) })
    expect(await (await settings({ user: 'Ada King' })).text()).toContain('Remove The shop')
    const page = await settings({ user: 'Ada King', remove: 'told' })
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toMatch(/\/data_deletion<\/code>, answered\s+with 200: <code>/)
    expect(html).toContain('confirmation_code')
    expect(html).not.toContain('Remove The shop')
    expectNotices(id)
  })

  test('when it removes itself by the permissions', async () => {
    const access_token = await tokenFor('Bob', { client_id: 'told' })
    const { id } = (await me(access_token)).json
    await remove('/me/permissions', access_token)
    await vi.waitFor(() => expect(received).toHaveLength(2))
    expectNotices(id)
  })

  test('not at all when it has no addresses for it', async () => {
    await tokenFor('Carol')
    const body = new URLSearchParams({ user: 'Carol', remove: client_id })
    const html = await (await fetch(`${url}/settings`, { method: 'POST', body })).text()
    expect(html).toContain('It was not told')
    expect(received).toEqual([])
  })

  test('the page says so when nobody answers', async () => {
    const deaf = { ...client, client_id: 'deaf', deauthorize_uri: 'http://localhost:9/deauthorize' }
    await register(simulator.url, deaf)
    await tokenFor('Dora', { client_id: 'deaf' })
    const body = new URLSearchParams({ user: 'Dora', remove: 'deaf' })
    expect(await (await fetch(`${url}/settings`, { method: 'POST', body })).text()).toContain(
      'with nothing: it could not be reached',
    )
  })

  test('the page asks for a name, and shows nothing for somebody else’s', async () => {
    const empty = await fetch(`${url}/settings`, { method: 'POST', body: new URLSearchParams({ user: ' ' }) })
    expect({ status: empty.status, html: await empty.text() }).toMatchObject({
      status: 400,
      html: expect.stringMatching(/role="alert">Type a name/),
    })
    const body = new URLSearchParams({ user: 'Nobody Yet' })
    expect(await (await fetch(`${url}/settings`, { method: 'POST', body })).text()).toContain('None.')
  })
})

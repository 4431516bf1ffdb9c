import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { exportSPKI } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Constellation, openForTest, type SeededSite, seedSite, startConstellation } from '#testing'
import { applicationOf } from './application.ts'
import { authorizeAddress, begin, openTestBrowser, type ProviderName, returnOf } from './browser.ts'
import { type HostileProvider, type Lie, startHostileProvider } from './hostile-provider.ts'

let hostile: HostileProvider
let constellation: Constellation
let site: SeededSite
beforeAll(async () => {
  hostile = await startHostileProvider()
  const provider_auth_environment = { PROVIDER_SIMULATOR_URL: hostile.url }
  constellation = await startConstellation({ provider_auth_environment })
  site = await seedSite(constellation)
})
afterAll(async () => {
  await constellation[Symbol.asyncDispose]()
  await hostile[Symbol.asyncDispose]()
})
beforeEach(() => {
  hostile.lie = {}
  hostile.asked.clear()
})

async function logIn(provider: ProviderName, shop = site): Promise<URL> {
  const browser = openTestBrowser()
  const at_provider = await begin(browser, authorizeAddress(shop, provider))
  return new URL(await begin(browser, await returnOf(browser, await browser.open(at_provider))))
}

async function countLogins(): Promise<number> {
  await using identity = openForTest(constellation.database_urls.identity)
  const [row] = await identity.knex('login_history').count<{ count: number }[]>()
  return Number(row?.count)
}

/** The application hears of it with its own state, and there is no login. */
async function expectRefused(provider: ProviderName): Promise<void> {
  const before = await countLogins()
  expect(Object.fromEntries((await logIn(provider)).searchParams)).toEqual({
    error: 'server_error',
    error_description: 'Internal server error.',
    state: 'state-of-the-application',
    iss: constellation.auth,
  })
  expect(await countLogins()).toBe(before)
}

const unsigned = (id_token: string) => {
  const header = Buffer.from('{"alg":"none"}').toString('base64url')
  return `${header}.${id_token.split('.')[1]}.`
}
const with_other_claims = (id_token: string) => {
  const [header, payload = '', signature] = id_token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return `${header}.${Buffer.from(JSON.stringify({ ...claims, name: 'Somebody Else' })).toString('base64url')}.${signature}`
}
const now = () => Math.floor(Date.now() / 1_000)
const long = (length: number) => 'x'.repeat(length)
const bomb = gzipSync(Buffer.alloc(100_000_000))

/** Of an OpenID Connect provider. */
const lies_of_openid: [string, Lie][] = [
  ['BR-5 iss of another', { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }],
  ['BR-5 iss with a slash more', { claims: (claims) => ({ ...claims, iss: `${claims.iss}/` }) }],
  ['BR-5 no iss', { claims: (claims) => ({ ...claims, iss: undefined }) }],
  ['BR-5 aud of another application', { claims: (claims) => ({ ...claims, aud: 'another' }) }],
  ['BR-5 no aud', { claims: (claims) => ({ ...claims, aud: undefined }) }],
  ['BR-5 several aud, azp of another', { claims: (claims) => ({ ...claims, aud: [claims.aud, 'b'], azp: 'b' }) }],
  ['BR-5 azp of another', { claims: (claims) => ({ ...claims, azp: 'another' }) }],
  ['BR-5 an iat in two minutes', { claims: (claims) => ({ ...claims, iat: now() + 120, exp: now() + 600 }) }],
  ...[' ', 'null', 'undefined', '0', ' person-1', 'person 1', 'pérson'].map((sub): [string, Lie] => [
    `BR-9 ${JSON.stringify(sub)} as sub`,
    { claims: (claims) => ({ ...claims, sub }), userinfo: (told) => ({ ...told, sub }) },
  ]),
  ['BR-5 no sub', { claims: (claims) => ({ ...claims, sub: undefined }) }],
  ['BR-9 an empty sub', { claims: (claims) => ({ ...claims, sub: '' }), userinfo: (told) => ({ ...told, sub: '' }) }],
  ['BR-9 a sub that is a number', { claims: (claims) => ({ ...claims, sub: 1 }), userinfo: () => ({ sub: 1 }) }],
  [
    'BR-9 a sub of 256 characters',
    { claims: (claims) => ({ ...claims, sub: long(256) }), userinfo: () => ({ sub: long(256) }) },
  ],
  ['BR-5 no iat', { claims: (claims) => ({ ...claims, iat: undefined }) }],
  ['BR-5 no exp', { claims: (claims) => ({ ...claims, exp: undefined }) }],
  ['BR-5 an exp two minutes ago', { claims: (claims) => ({ ...claims, exp: now() - 120 }) }],
  ['BR-5 an nbf in two minutes', { claims: (claims) => ({ ...claims, nbf: now() + 120 }) }],
  ['BR-4 another nonce', { claims: (claims) => ({ ...claims, nonce: 'replayed' }) }],
  ['BR-4 no nonce', { claims: (claims) => ({ ...claims, nonce: undefined }) }],
  ['BR-5 alg none', { id_token: unsigned }],
  ['BR-5 claims changed after signing', { id_token: with_other_claims }],
  ['BR-5 a signature that is cut off', { id_token: (id_token) => id_token.slice(0, -20) }],
  ['no ID Token', { id_token: () => undefined }],
  ['BR-5 ES256 with a key of its own', { key: ({ foreign }) => ({ alg: 'ES256', key: foreign.ec }) }],
  [
    'BR-6 HS256 with the public key as its secret',
    { key: async ({ rsa }) => ({ alg: 'HS256', key: Buffer.from(await exportSPKI(rsa.public)) }) },
  ],
]

/** Of a provider of any protocol. */
const lies_of_all: [string, Lie][] = [
  ['no access token', { token: (answer) => ({ ...answer, access_token: undefined }) }],
  ['no token_type', { token: (answer) => ({ ...answer, token_type: undefined }) }],
  ['BR-20 an access token of 70 kB', { token: (answer) => ({ ...answer, access_token: long(70_000) }) }],
  ['a negative expires_in', { token: (answer) => ({ ...answer, expires_in: -1 }) }],
  ['UP-5 an answer of 5 MB', { token: (answer) => ({ ...answer, more: long(5_000_000) }) }],
  ['UP-5 a page for an answer', { instead: { token: (response) => response.end('<h1>Hello</h1>') } }],
  ['UP-5 half an answer', { instead: { token: (response) => response.end('{"access_token":"x') } }],
  ['UP-5 a list for an answer', { instead: { token: (response) => response.end('[]') } }],
  [
    'UP-5 a few bytes that unpack to 100 MB',
    {
      instead: {
        token: (response) =>
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
      },
    },
  ],
  ['an OAuth error of the token endpoint', { instead: { token: refuse(400, { error: 'invalid_client' }) } }],
  ['a 500 of the token endpoint', { instead: { token: refuse(500, {}) } }],
  ['UP-6 a 429 of the token endpoint', { instead: { token: refuse(429, {}) } }],
  ['a hang-up at the token endpoint', { instead: { token: (response) => response.destroy() } }],
  ['code twice', { returns: (parameters) => parameters.append('code', 'another') }],
  ['a token in the callback', { returns: (parameters) => parameters.set('id_token', 'x') }],
  ['BR-2 another iss in the callback', { returns: (parameters) => parameters.set('iss', 'https://evil.example') }],
]

const hang_up_at_userinfo: [string, Lie] = [
  'a hang-up at userinfo',
  { instead: { userinfo: (response) => response.destroy() } },
]

const lies_in_userinfo: [string, Lie][] = [
  ['BR-8 another sub in userinfo', { userinfo: (told) => ({ ...told, sub: 'victim' }) }],
  ['BR-8 no sub in userinfo', { userinfo: () => ({ name: 'Person One' }) }],
  hang_up_at_userinfo,
]

const refused_userinfo: [string, Lie] = [
  'a 401 of userinfo',
  { instead: { userinfo: refuse(401, { error: 'invalid_token' }) } },
]

const lies_under_rs256: [string, Lie][] = [
  ['BR-5 RS256 with a foreign key', { key: ({ foreign, rsa }) => ({ alg: 'RS256', key: foreign.rsa, kid: rsa.kid }) }],
  ['BR-5 RS384 with the right key', { key: ({ rs384, rsa }) => ({ alg: 'RS384', key: rs384, kid: rsa.kid }) }],
  ['BR-6 HS256 with the client secret', { key: ({ secret }) => ({ alg: 'HS256', key: Buffer.from(secret) }) }],
  ['BR-13 an unknown kid', { key: ({ rsa }) => ({ alg: 'RS256', key: rsa.private, kid: 'unknown' }) }],
]

const lies_of_search: [string, Lie][] = [
  ['BR-2 no iss in the callback', { returns: (parameters) => parameters.delete('iss') }],
]

const broken_userinfo: [string, Lie][] = [
  ['a 500 of userinfo', { instead: { userinfo: refuse(500, {}) } }],
  ['a 429 of userinfo', { instead: { userinfo: refuse(429, {}) } }],
  ['a userinfo that is no JSON', { instead: { userinfo: (response) => response.end('<h1>Hello</h1>') } }],
]

const graph_error = { error: { message: 'Error', type: 'OAuthException', code: 190, fbtrace_id: 'A' } }

/** Of OAuth 2.0 without OpenID Connect: who the person is, a resource says. */
const lies_of_social: [string, Lie][] = [
  ['BR-9 no id', { userinfo: () => ({ name: 'Person One' }) }],
  ['BR-9 a sub for an id', { userinfo: () => ({ sub: 'person-1', name: 'Person One' }) }],
  ['BR-9 an empty id', { userinfo: () => ({ id: '' }) }],
  ['BR-9 an id that is a number', { userinfo: () => ({ id: 1 }) }],
  ['BR-9 an id of 256 characters', { userinfo: () => ({ id: long(256) }) }],
  ['BR-9 an id with a NUL', { userinfo: () => ({ id: 'person\0' }) }],
  ['an error object of the token endpoint', { instead: { token: refuse(400, graph_error) } }],
  ['an error object with the status 200', { instead: { token: refuse(200, graph_error) } }],
  ['an error object of the profile', { instead: { userinfo: refuse(400, graph_error) } }],
  ['an error object of the profile with the status 200', { instead: { userinfo: refuse(200, graph_error) } }],
  ['UP-5 a profile of 5 MB', { userinfo: (told) => ({ ...told, more: long(5_000_000) }) }],
  ['UP-5 half a profile', { instead: { userinfo: (response) => response.end('{"id":"person-1"') } }],
  [
    'a redirect of the profile',
    { instead: { userinfo: (response) => response.writeHead(302, { location: '/' }).end() } },
  ],
  ['neither code nor error in the callback', { returns: (parameters) => parameters.delete('code') }],
]

const lies_of_messaging: [string, Lie][] = [
  [
    'BR-5 HS256 with another secret',
    { key: () => ({ alg: 'HS256', key: Buffer.from('another secret of 32 characters!') }) },
  ],
  ['BR-5 HS256 with an empty secret', { key: () => ({ alg: 'HS256', key: new Uint8Array(32) }) }],
  ['BR-5 HS512 with the right secret', { key: ({ secret }) => ({ alg: 'HS512', key: Buffer.from(secret) }) }],
  ['BR-6 RS256 with a key of the JWKS', { key: ({ rsa }) => ({ alg: 'RS256', key: rsa.private, kid: rsa.kid }) }],
]

function refuse(status: number, body: object): (response: ServerResponse) => void {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

describe.each<[ProviderName, [string, Lie][]]>([
  ['messaging', [...lies_of_all, ...lies_of_openid, ...lies_in_userinfo, refused_userinfo, ...lies_of_messaging]],
  ['portal', [...lies_of_all, ...lies_of_openid, ...lies_in_userinfo, ...lies_under_rs256, ...broken_userinfo]],
  ['social', [...lies_of_all, hang_up_at_userinfo, refused_userinfo, ...broken_userinfo, ...lies_of_social]],
  [
    'search',
    [
      ...[...lies_of_all, ...lies_of_openid, ...lies_in_userinfo, refused_userinfo],
      ...[...lies_under_rs256, ...lies_of_search],
    ],
  ],
  ['device', [...lies_of_all, ...lies_of_openid, ...lies_under_rs256]],
])('CONF-4 from %s', (provider, lies) => {
  test('the truth is believed', async () => {
    const callback = await logIn(provider)
    const { id_token } = await applicationOf(constellation, site).redeem(callback)
    const claims = await applicationOf(constellation, site).verify(id_token)
    expect(claims).toMatchObject({ provider, provider_uid: 'person-1' })
  })

  test.each(lies)('%s: no login, server_error to the application', async (_, lie) => {
    hostile.lie = lie
    await expectRefused(provider)
  })

  test.each<[string, Lie]>([
    ['aud as a list', { claims: (claims) => ({ ...claims, aud: [claims.aud] }) }],
    ['an exp half a minute ago', { claims: (claims) => ({ ...claims, exp: now() - 30 }) }],
    [
      'a user id of 255 characters',
      { claims: (c) => ({ ...c, sub: long(255) }), userinfo: () => ({ sub: long(255), id: long(255) }) },
    ],
    ['no refresh token and no expires_in', { token: (answer) => ({ ...answer, expires_in: undefined }) }],
    ['expires_in as a text', { token: (answer) => ({ ...answer, expires_in: '3600' }) }],
    ['an access token of 65535 characters', { token: (answer) => ({ ...answer, access_token: long(65_535) }) }],
    ['unknown parameters in the callback', { returns: (parameters) => parameters.set('hd', 'example.com') }],
  ])('%s is allowed', async (_, lie) => {
    hostile.lie = lie
    expect((await logIn(provider)).searchParams.get('error')).toBeNull()
  })

  test('BR-23 UP-2 a redirect of the token endpoint is not followed, and nothing is asked twice', async () => {
    const away = (response: ServerResponse) =>
      response.writeHead(307, { location: `${hostile.url}/${provider}/elsewhere` }).end()
    hostile.lie = { instead: { token: away } }
    await expectRefused(provider)
    expect(hostile.asked.get('token')).toBe(1)
    expect(hostile.asked.get('elsewhere')).toBeUndefined()
  })
})

test.each<[ProviderName, string, Lie]>([
  ['messaging', 'does not answer', { instead: { token: () => {} } }],
  ['search', 'answers a byte now and then', { instead: { userinfo: drip } }],
])(
  'UP-1 %s %s: server_error within the deadline',
  async (provider, _, lie) => {
    hostile.lie = lie
    await expectRefused(provider)
  },
  15_000,
)

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 200)
  response.on('close', () => clearInterval(timer))
}

describe('a key set', () => {
  test('a token without kid is believed when there is one key', async () => {
    hostile.lie = { key: ({ rsa }) => ({ alg: 'RS256', key: rsa.private }) }
    expect((await logIn('search')).searchParams.get('error')).toBeNull()
  })

  test('BR-13 is asked for once, however many tokens have a kid nobody knows', async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      hostile.lie = { key: ({ rsa }) => ({ alg: 'RS256', key: rsa.private, kid: `unknown-${attempt}` }) }
      await expectRefused('search')
    }
    expect(hostile.asked.get('certs') ?? 0).toBeLessThanOrEqual(1)
  })
})

describe('messaging', () => {
  test.each<[string, Lie]>([
    ['the friend status', { instead: { status: refuse(500, {}) } }],
    ['the friend status in words', { instead: { status: refuse(200, { friendFlag: 'yes' }) } }],
    ['the profile', { instead: { profile: refuse(401, { message: 'invalid token' }) } }],
    ['either', { instead: { status: (response) => response.destroy(), profile: (response) => response.destroy() } }],
  ])('logs in without %s', async (_, lie) => {
    hostile.lie = lie
    expect((await logIn('messaging')).searchParams.get('error')).toBeNull()
  })
})

describe('social', () => {
  test.each<[string, Lie]>([
    ['refuses', { instead: { exchange: refuse(400, graph_error) } }],
    ['fails', { instead: { exchange: refuse(500, {}) } }],
    ['gives no token', { instead: { exchange: refuse(200, {}) } }],
    ['hangs up', { instead: { exchange: (response) => response.destroy() } }],
  ])('logs in with the short token when the exchange for a long one %s', async (_, lie) => {
    hostile.lie = lie
    expect((await logIn('social')).searchParams.get('error')).toBeNull()
    expect(hostile.asked.get('exchange')).toBe(1)
  })

  test('a token that lives long already is not exchanged', async () => {
    hostile.lie = { token: (answer) => ({ ...answer, expires_in: 5_183_944 }) }
    expect((await logIn('social')).searchParams.get('error')).toBeNull()
    expect(hostile.asked.get('exchange')).toBeUndefined()
  })

  test('BR-2 a code of another provider is not exchanged here: the callback belongs to the login that was begun', async () => {
    const browser = openTestBrowser()
    const returned = new URL(await begin(browser, await begin(browser, authorizeAddress(site, 'social'))))
    const elsewhere = site.providers.search.provider_callback + returned.search
    expect((await browser.open(elsewhere)).status).toBe(400)
    expect(hostile.asked.get('token')).toBeUndefined()
  })
})

describe('portal', () => {
  const challenge = { 'content-type': 'application/json', 'www-authenticate': 'Bearer error="insufficient_scope"' }
  test.each<[string, Lie]>([
    ['400', { instead: { userinfo: refuse(400, { error: 'invalid_request' }) } }],
    ['401', { instead: { userinfo: refuse(401, { error: 'invalid_token' }) } }],
    ['403', { instead: { userinfo: refuse(403, {}) } }],
    ['403 and a challenge', { instead: { userinfo: (response) => response.writeHead(403, challenge).end('{}') } }],
  ])('logs in with the ID Token alone when userinfo is refused with %s', async (_, lie) => {
    hostile.lie = lie
    const callback = await logIn('portal')
    const { id_token, access_token } = await applicationOf(constellation, site).redeem(callback)
    expect(await applicationOf(constellation, site).verify(id_token)).toMatchObject({ provider_uid: 'person-1' })
    expect(await applicationOf(constellation, site).userinfo(access_token)).toMatchObject({ name: 'Person One' })
  })
})

describe('device', () => {
  const nameOf = async (callback: URL) => {
    const application = applicationOf(constellation, site)
    return application.userinfo((await application.redeem(callback)).access_token)
  }
  const told = { email: 'person@one.example', email_verified: true, provider_uid: 'person-1' }

  test('BR-12 its discovery document is not asked, whatever issuer it may name', async () => {
    await logIn('device')
    const asked = [...hostile.asked.keys()].filter((step) => step !== 'certs')
    expect(asked.sort()).toEqual(['authorize', 'token'])
  })

  test.each<[string, string, string | undefined]>([
    [
      'names another id and address',
      '{"sub":"victim","email":"victim@bank.example","name":{"firstName":"Eve"}}',
      'Eve',
    ],
    ['names them where the name stands', '{"name":{"firstName":"Eve","sub":"victim","email":"v@bank.example"}}', 'Eve'],
    ['has names that are none', '{"name":{"firstName":{"toString":1},"lastName":["x"]}}', undefined],
    ['has a name that cannot be kept', '{"name":{"firstName":"\\u0000","lastName":"\\ud800"}}', undefined],
    ['has claims of ours', '{"first_name":"Eve","email_verified":true,"profile":{"full_name":"Eve"}}', undefined],
    ['is a list', '[]', undefined],
    ['is null', 'null', undefined],
    ['is empty', '', undefined],
    ['is no JSON', '{"name":', undefined],
    ['is deep', '['.repeat(1_000), undefined],
  ])('BR-14 a user that %s tells a name at most', async (_, user, name) => {
    hostile.lie = { returns: (parameters) => parameters.set('user', user) }
    const claims = await nameOf(await logIn('device'))
    expect(claims).toMatchObject(told)
    expect(claims.name).toBe(name)
  })

  test.each<[string, Lie]>([
    ['"false"', { claims: (claims) => ({ ...claims, email_verified: 'false' }) }],
    ['"TRUE"', { claims: (claims) => ({ ...claims, email_verified: 'TRUE' }) }],
    ['1', { claims: (claims) => ({ ...claims, email_verified: 1 }) }],
    ['absent', { claims: (claims) => ({ ...claims, email_verified: undefined }) }],
  ])('BR-11 an email_verified that is %s verifies nothing', async (_, lie) => {
    hostile.lie = lie
    expect(await nameOf(await logIn('device'))).toMatchObject({ email_verified: false })
  })
})

test('a status message that messaging fails to supply at a login keeps its stored value', async () => {
  const shop = await seedSite(constellation)
  const identifier = await applicationOf(constellation, shop).userOf(await logIn('messaging', shop))
  const readStored = async () => {
    const { profile } = await constellation.profile.readProfile({ site: shop.site, identifier }, constellation.call())
    return { bio: profile.bio, logins: profile.update_count }
  }
  await expect.poll(readStored).toEqual({ bio: 'hello', logins: 1 })
  hostile.lie = { instead: { profile: refuse(500, {}) } }
  await logIn('messaging', shop)
  await expect.poll(readStored).toEqual({ bio: 'hello', logins: 2 })
})

test('UP-1 a provider that is down: server_error', async () => {
  await using down = await startHostileProvider()
  const provider_auth_environment = { PROVIDER_SIMULATOR_URL: down.url }
  await using own = await startConstellation({ provider_auth_environment })
  const shop = await seedSite(own)
  const browser = openTestBrowser()
  const callback = await begin(browser, await begin(browser, authorizeAddress(shop, 'search')))
  await down[Symbol.asyncDispose]()
  const location = new URL(await begin(browser, callback))
  expect(location.searchParams.get('error')).toBe('server_error')
  expect(location.searchParams.get('state')).toBe('state-of-the-application')
})

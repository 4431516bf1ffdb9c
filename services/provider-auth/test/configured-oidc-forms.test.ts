import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { readLinkData, type SharedStack } from '#testing'
import { buildLoginUrl, followToApplication } from './configured-login.ts'
import { createNativeApp, Injected } from './native-app.ts'
import { createSiteFixture } from './site-fixture.ts'

type Change = Parameters<SharedStack['provider_auth']['changeProviderSettings']>[0]

const { serviceStack, site, application } = createSiteFixture()

const tenant = '9188040d-6c67-4c5b-b112-36a304b66dad'
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
const otherKey = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey)

/** Undefined leaves a claim out. */
type Claims = Readonly<Record<string, unknown>>

interface Form {
  /** Of ID Tokens. */
  readonly claims?: Claims
  readonly kid?: string
  readonly isUserinfoSigned?: boolean
  /** In the token response. */
  readonly tokens?: Claims
  /** In the callback. */
  readonly callback?: Readonly<Record<string, string>>
  /** How many other keys are in the key set. */
  readonly otherKeys?: number
  /** Whether the key set has the key that signs. */
  readonly hasKey?: boolean
  /** Answers a path otherwise. */
  readonly instead?: Readonly<Record<string, (response: ServerResponse) => void>>
}

/** A provider whose ID Tokens have the form of a test. */
async function startProvider(form: Form = {}) {
  const { claims = {}, kid, isUserinfoSigned = false, tokens = {}, callback = {}, instead = {} } = form
  const { otherKeys = 0, hasKey = true } = form
  let nonce: string | null = null
  const sign = (payload: Claims) => {
    const now = Math.floor(Date.now() / 1_000)
    return new SignJWT({ iss: url, sub: 'user-1', aud: 'app', iat: now, exp: now + 300, ...payload } as JWTPayload)
      .setProtectedHeader({ alg: 'RS256', ...(kid !== undefined && { kid }) })
      .sign(privateKey)
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const send = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const answer = instead[pathname]
    if (answer !== undefined) answer(response)
    else if (pathname === '/authorize') {
      nonce = searchParams.get('nonce')
      const query = new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '', ...callback })
      response.writeHead(302, { location: `${searchParams.get('redirect_uri')}?${query}` }).end()
    } else if (pathname === '/keys') {
      const own = { ...(await exportJWK(publicKey)), ...(kid !== undefined && { kid }) }
      const others = Array.from({ length: otherKeys }, (_, index) => ({ ...otherKey, kid: `other-${index}` }))
      send({ keys: [...others, ...(hasKey ? [own] : [])] })
    } else if (pathname === '/token') {
      await text(request)
      const idToken = await sign({ ...(nonce !== null && { nonce }), ...claims })
      send({ access_token: 'at', token_type: 'Bearer', expires_in: 3_600, id_token: idToken, ...tokens })
    } else if (isUserinfoSigned) {
      response.setHeader('content-type', 'application/jwt').end(await sign({ name: 'Ada King' }))
    } else send({ sub: 'user-1', name: 'Ada King' })
  }
  const server = createServer((request, response) => void respond(request, response)).listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const url = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  return { url, sign }
}

/** Saves a provider by its addresses, without a discovery document. */
async function save(provider: string, url: string, protocol: object = {}, settings: Partial<Change> = {}) {
  const { account, site_id } = site
  const endpoints = {
    authorization: `${url}/authorize`,
    token: `${url}/token`,
    jwks: `${url}/keys`,
    userinfo: `${url}/userinfo`,
  }
  const definition = {
    display_name: { en: 'Example' },
    protocol: { type: 'oidc', issuer: url, endpoints, ...protocol },
  } as NonNullable<Change['definition']>
  const client = { client_id: 'app', client_secret: 'secret' }
  const change = { site: site.site, account, site_id, provider, expected_revision: 0, ...client, definition }
  return serviceStack.provider_auth.changeProviderSettings({ ...change, ...settings }, serviceStack.call())
}

const forms: readonly (readonly [string, Form, (url: string) => object])[] = [
  ['without a key ID', {}, () => ({})],
  ['with userinfo as a JWT', { kid: 'k', isUserinfoSigned: true }, () => ({})],
  ['with a thousand keys', { kid: 'k', otherKeys: 1_000 }, () => ({})],
  ['with a lifetime as text', { tokens: { expires_in: '3600' } }, () => ({})],
  ['without a lifetime', { tokens: { expires_in: undefined } }, () => ({})],
  ['without a nonce', { claims: { nonce: undefined } }, () => ({ nonce: false })],
]

test.each(forms)('a login %s succeeds', async (title, form, changes) => {
  const { url } = await startProvider(form)
  const { authorize_uri } = await save(`form_${forms.findIndex(([name]) => name === title)}`, url, changes(url))
  const callback = await followToApplication(site, buildLoginUrl(site, authorize_uri ?? '', 'openid profile'))
  const identifier = await application.userOf(callback)
  const { data } = await readLinkData(serviceStack, { site: site.site, identifier })
  expect(Object.values(data)[0]?.profile.full_name).toBe('Ada King')
})

const issuers: readonly (readonly [string, string, string | undefined])[] = [
  ['of its tenant', tenant, undefined],
  ['of another tenant than its claim', 'other-tenant', 'server_error'],
  ['of a tenant that changes the address', '../..', 'server_error'],
]

test.each(issuers)('an ID Token %s, of a provider with an issuer for each', async (_, claimed, error) => {
  const login = 'https://login.example.com'
  const { url } = await startProvider({ claims: { tid: claimed, iss: `${login}/${tenant}/v2.0` } })
  const name = `tenant_${issuers.findIndex(([, one]) => one === claimed)}`
  const { authorize_uri } = await save(name, url, { issuer: `${login}/{tid}/v2.0` })
  const callback = await followToApplication(site, buildLoginUrl(site, authorize_uri ?? '', 'openid profile'))
  expect(callback.searchParams.get('error') ?? undefined).toBe(error)
})

test('a native app logs in with an ID Token for its own client, and with that of no other', async () => {
  const { url, sign } = await startProvider()
  await save('app_login', url, {}, { options: { app_client_ids: 'ios' } })
  const app = createNativeApp(serviceStack, site)
  const inject = async (audience: string) =>
    fetch(app.addressOf('app_login'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id_token: await sign({ aud: audience, name: 'Ada King' }) }),
    })
  const identifier = await app.redeem(Injected.parse(await (await inject('ios')).json()).token)
  const { links } = await readLinkData(serviceStack, { site: site.site, identifier })
  expect(links).toMatchObject([{ provider: 'app_login', provider_user_id: 'user-1' }])
  const rejected = await inject('other')
  expect(rejected.status).toBe(400)
  expect(await rejected.text()).toContain('issued to a client that the provider settings do not list')
})

const redirect = (response: ServerResponse) => response.writeHead(302, { location: '/token' }).end()
const failWith = (error: object) => (response: ServerResponse) =>
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error))

const attacks: readonly (readonly [string, Form])[] = [
  ['names another issuer in its callback (RFC 9207, mix-up)', { callback: { iss: 'https://other.example.com' } }],
  ['returns another state', { callback: { state: 'other' } }],
  ['redirects token requests without end', { instead: { '/token': redirect } }],
  ['redirects requests of its keys without end', { instead: { '/keys': redirect } }],
  ['has a thousand keys, and signs with none of them', { kid: 'k', otherKeys: 1_000, hasKey: false }],
]

test.each(attacks)('no one is logged in by a provider that %s', async (title, form) => {
  const { url } = await startProvider(form)
  const { authorize_uri } = await save(`attack_${attacks.findIndex(([name]) => name === title)}`, url)
  const start = buildLoginUrl(site, authorize_uri ?? '', 'openid')
  const outcome = await followToApplication(site, start).catch((error: unknown) => error)
  // Without its state, a callback belongs to no application.
  if (outcome instanceof URL) expect(outcome.searchParams.get('error')).toBe('server_error')
  else expect(String(outcome)).toMatch(/No redirect: 400/)
})

const mistakes: readonly (readonly [string, Form, object])[] = [
  ['issuer', { claims: { iss: 'https://other.example.com' } }, {}],
  ['nonce', { claims: { nonce: undefined } }, {}],
  ['client', { claims: { aud: 'other' } }, {}],
  ['clock', { claims: { exp: 1 } }, {}],
  ['id_token_alg', {}, { id_token_alg: 'ES256' }],
  ['user_id', { claims: { sub: undefined } }, {}],
  ['keys', { kid: 'k', hasKey: false, otherKeys: 1 }, {}],
  ['redirect_uri', { instead: { '/token': failWith({ error: 'redirect_uri_mismatch' }) } }, {}],
  ['scopes', { callback: { error: 'invalid_scope' } }, {}],
  ['pkce', { instead: { '/token': failWith({ error: 'code_verifier_missing' }) } }, {}],
  ['unreachable', { instead: { '/token': (response) => response.destroy() } }, {}],
  ['response', { instead: { '/token': (response) => response.end('<p>Hello</p>') } }, {}],
]

test.each(mistakes)('a failed test login says to look at: %s', async (advice, form, protocol) => {
  const { url } = await startProvider(form)
  const provider = `wrong_${advice}`
  const { authorize_uri } = await save(provider, url, protocol)
  const key = { site: site.site, provider, by: 'member 1' }
  const { state } = await serviceStack.provider_auth.beginTestLogin(key, serviceStack.call())
  const address = new URL(buildLoginUrl(site, authorize_uri ?? '', 'openid'))
  address.searchParams.set('state', state)
  await followToApplication(site, address.href)
  const outcome = await serviceStack.provider_auth.readTestLogin({ ...key, state }, serviceStack.call())
  expect(outcome).toMatchObject({ outcome: 'failed', advice })
})

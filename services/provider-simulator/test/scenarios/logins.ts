import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { loginProviders } from '#contracts'
import { endBehaviours } from '../behaviours.ts'
import { address, get, post, register, signIn, startSimulator, text } from '../simulator.ts'

// Logins at the OpenID Providers, with scenarios.

const redirect_uri = 'http://localhost:9/callback'
const client_id = 'an-app'
const client_secret = 'secret-of-the-app-0123456789abcdef'

export let url: string
let simulator: Awaited<ReturnType<typeof startSimulator>>

/** Starts a simulator for the tests of the file that calls it. */
export function setSimulator(): void {
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
}

/** One login at each provider that gives tokens by a code; a provider joins by its addresses. */
export const providers = [
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

export const authorization = ({ provider, authorize }: Known) =>
  address(`${url}${authorize}`, {
    ...{ response_type: 'code', client_id, redirect_uri, state: 's', nonce: 'n', scope: 'openid profile email' },
    ...(provider === 'search' && { access_type: 'offline', prompt: 'consent' }),
    ...(provider === 'portal' && { bail: '1' }),
  })

export const exchange = ({ token }: Known, code: string) =>
  post(`${url}${token}`, { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret })

export const refresh = ({ token }: Known, refresh_token: string) =>
  post(`${url}${token}`, { grant_type: 'refresh_token', refresh_token, client_id, client_secret })

export async function logIn(at: Known, user = 'Hanako') {
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

export const userinfo = (at: Known, access_token: string) => get(`${url}${at.userinfo}`, access_token)

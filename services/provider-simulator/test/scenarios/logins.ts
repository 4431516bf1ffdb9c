import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { builtInLoginProviders } from '#contracts'
import { endScenarios } from '../scenario-api.ts'
import { get, post, register, requireText, signIn, startSimulator, withQuery } from '../simulator.ts'

// Logins at the OpenID Providers, with scenarios.

const redirectUri = 'http://localhost:9/callback'
const clientId = 'an-app'
const clientSecret = 'secret-of-the-app-0123456789abcdef'

export let url: string
let simulator: Awaited<ReturnType<typeof startSimulator>>

/** Starts a simulator for the tests of the file that calls it. */
export function setSimulator(): void {
  beforeAll(async () => {
    simulator = await startSimulator()
    url = simulator.url
    const client = { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }
    await Promise.all(builtInLoginProviders.map((provider) => register(url, { provider, ...client })))
  })
  afterAll(() => simulator[Symbol.asyncDispose]())
  afterEach(async () => {
    await endScenarios(url)
  })
}

/** Logs in once at each provider that issues tokens for a code; add a provider with its endpoints. */
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
  withQuery(`${url}${authorize}`, {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 's',
    nonce: 'n',
    scope: 'openid profile email',
    ...(provider === 'search' && { access_type: 'offline', prompt: 'consent' }),
    ...(provider === 'portal' && { bail: '1' }),
  })

export const exchange = ({ token }: Known, code: string) =>
  post(`${url}${token}`, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
  })

export const refresh = ({ token }: Known, refreshToken: string) =>
  post(`${url}${token}`, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: clientId,
    client_secret: clientSecret,
  })

export async function logIn(at: Known, user = 'Hanako') {
  const code = requireText((await signIn(authorization(at), { user })).searchParams.get('code'))
  const { json } = await exchange(at, code)
  const idToken = requireText(json.id_token)
  const [accessToken, refreshToken] = [requireText(json.access_token), requireText(json.refresh_token)]
  const claims = decodeJwt(idToken)
  return {
    id_token: idToken,
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: json.expires_in,
    header: decodeProtectedHeader(idToken),
    claims,
  }
}

export const userinfo = (at: Known, accessToken: string) => get(`${url}${at.userinfo}`, accessToken)

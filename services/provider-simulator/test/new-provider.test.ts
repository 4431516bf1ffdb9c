import { expect, test } from 'vitest'
import { listenHttp, pageHeaders } from '#http'
import { findFreePort } from '#local'
import { createReadiness, type Service } from '#runtime'
import { startForTest } from '#testing'
import { createSimulatorApp } from '../app.ts'
import { createClientRegistry } from '../client-registry.ts'
import { type Config, readConfig } from '../config.ts'
import { clientIsKnown, redirectUriIsRegistered } from '../oauth/checks.ts'
import type { Dialect } from '../oauth/dialect.ts'
import { oauthError } from '../oauth/errors.ts'
import { findGrant } from '../oauth/grants.ts'
import { type AddRoutes, createProvider } from '../oauth/provider.ts'
import { identify } from '../oauth/server.ts'
import { readBearerToken } from '../oauth/userinfo.ts'
import { createRender } from '../pages.ts'
import { createScenarios } from '../scenarios/scenarios.ts'
import { createSignInFlow } from '../sign-in-flow.ts'
import { register, requireText, signIn, withQuery } from './simulator.ts'

const invalidClient = oauthError('incorrect_client_credentials', 'The client_id or client_secret is incorrect.', 200)

/** A provider that the simulator does not have, similar to GitHub: everything that a new provider needs. */
const github: Dialect = {
  // A name that clients can be registered for.
  name: 'search',
  title: 'GitHub',
  summary: 'OAuth 2.0 whose token endpoint responds with a form unless JSON is accepted, and with 200 to errors.',
  async middleware(ctx, next) {
    await next()
    const isForm = ctx.accepts('application/x-www-form-urlencoded', 'json') !== 'json'
    if (!ctx.path.endsWith('/access_token') || !isForm) return
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...Object(ctx.body) })) if (value) form.set(name, String(value))
    ctx.body = form.toString()
    ctx.type = 'application/x-www-form-urlencoded'
  },
  lifetimes: { code: 600, accessToken: Number.POSITIVE_INFINITY },
  subject: ({ digest }) => String(Number.parseInt(digest.slice(0, 7), 16)),
  authorization: {
    path: '/login/oauth/authorize',
    checksOnPage: [
      clientIsKnown(oauthError('not_found', 'Page not found', 404)),
      redirectUriIsRegistered(oauthError('redirect_uri_mismatch', 'The redirect_uri is not associated.')),
    ],
    errorPage: ({ error }) => ({ heading: error }),
    shares: (scopes) => ['Your public profile', ...scopes],
    denial: () => ({ error: 'access_denied' }),
  },
  clientAuthentication: { methods: ['form'], unknownClient: invalidClient, wrongSecret: invalidClient },
  code: { bytes: 15 },
  accessToken: { prefix: 'gho_', bytes: 27 },
  token: {
    path: '/login/oauth/access_token',
    tokenType: 'bearer',
    scope: (scopes) => scopes.join(','),
    missing: (name) => oauthError('bad_request', `${name} is missing.`, 200),
    invalidCode: oauthError('bad_verification_code', 'The code passed is incorrect or expired.', 200),
    redirectUriMismatch: oauthError('redirect_uri_mismatch', 'The redirect_uri does not match.', 200),
  },
}

const addGithubRoutes: AddRoutes = (routes, server) => {
  routes.get('User', '/user', (ctx) => {
    const grant = findGrant(server.grants.accessTokens, readBearerToken(ctx))
    const user = grant && identify(grant, server)
    ctx.status = user ? 200 : 401
    ctx.body = user ? { id: Number(user.sub), name: user.user.name } : { message: 'Bad credentials' }
  })
}

const service: Service<Config, object> = async (config, { logger, registry, stack }) => {
  const url = config.SIMULATOR_URL
  const [clients, scenarios, render] = [createClientRegistry(), createScenarios(), createRender(url)]
  const simulator = { url, clients, scenarios, render, signIn: createSignInFlow({ render, scenarios }) }
  const providers = [await createProvider(github, simulator, addGithubRoutes)]
  const app = createSimulatorApp({ ...simulator, providers, logger, registry })
  stack.use(await listenHttp(config, { app, headers: pageHeaders, registry, readiness: createReadiness() }))
  return {}
}

test('a provider like GitHub is a dialect and the routes of its resources', async () => {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const environment = { PORT: String(port), SIMULATOR_URL: url }
  const running = await startForTest('provider-simulator', { readConfig, service }, environment)
  const client = { client_id: 'app', client_secret: 'secret' }
  const redirectUri = 'http://localhost:9/callback'
  await register(url, { provider: 'search', ...client, redirect_uris: [redirectUri] })

  const exchange = async (accept: string, secret = client.client_secret) => {
    const authorization = withQuery(`${url}/search/login/oauth/authorize`, {
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: 'read:user user:email',
      state: 's',
    })
    const code = requireText((await signIn(authorization, { user: 'Hanako Yamada' })).searchParams.get('code'))
    const body = new URLSearchParams({ ...client, client_secret: secret, code, redirect_uri: redirectUri })
    const endpoint = `${url}/search/login/oauth/access_token`
    const response = await fetch(endpoint, { method: 'POST', body, headers: { accept } })
    return { status: response.status, text: await response.text() }
  }
  const { status, text: json } = await exchange('application/json')
  const tokens = JSON.parse(json)
  expect({ status, tokens }).toEqual({
    status: 200,
    tokens: {
      access_token: expect.stringMatching(/^gho_[\w-]{36}$/),
      scope: 'read:user,user:email',
      token_type: 'bearer',
    },
  })
  const form = new URLSearchParams((await exchange('*/*')).text)
  expect([...form.keys()].sort()).toEqual(['access_token', 'scope', 'token_type'])
  expect(await exchange('application/json', 'wrong')).toMatchObject({
    status: 200,
    text: expect.stringContaining('"error":"incorrect_client_credentials"'),
  })

  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const user = await fetch(`${url}/search/user`, { headers })
  expect(await user.json()).toEqual({ id: expect.any(Number), name: 'Hanako Yamada' })
  expect((await fetch(`${url}/search/user`)).status).toBe(401)
  await running.stop()
})

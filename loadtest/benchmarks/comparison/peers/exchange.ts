import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as oidc from 'openid-client'
import { z } from 'zod'
import { reportServing } from './serving.ts'

/**
 * The part of a login that a social login service adds to an OpenID Provider, alone: the exchange with the login provider, by
 * openid-client: authorization request, token request, verified ID Token, userinfo.
 */
const { PORT, SIMULATOR_URL } = z.object({ PORT: z.string(), SIMULATOR_URL: z.url() }).parse(process.env)
const credentials = { client_id: 'bench-exchange', client_secret: 'bench-exchange-secret' }
const redirectUri = `http://localhost:${PORT}/callback`
const scope = 'openid profile email'

await registerClient()
const configuration = await oidc.discovery(
  new URL(`${SIMULATOR_URL}/search`),
  credentials.client_id,
  credentials.client_secret,
  undefined,
  { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] },
)
/** Nonce and verifier of started logins, by state. */
const started = new Map<string, { readonly nonce: string; readonly verifier: string }>()

const server = createServer((request, response) => {
  respond(request, response).catch((error: unknown) => {
    response.writeHead(500).end(error instanceof Error ? error.stack : String(error))
  })
})
server.listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
reportServing(Number(PORT))

async function respond({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (url.startsWith('/start')) return void response.writeHead(302, { location: await start() }).end()
  const address = new URL(url, redirectUri)
  const state = address.searchParams.get('state') ?? ''
  const login = started.get(state)
  if (login === undefined) throw new Error('The state is unknown.')
  started.delete(state)
  const tokens = await oidc.authorizationCodeGrant(configuration, address, {
    expectedState: state,
    expectedNonce: login.nonce,
    pkceCodeVerifier: login.verifier,
  })
  const user = await oidc.fetchUserInfo(configuration, tokens.access_token, tokens.claims()?.sub ?? '')
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(user))
}

async function start(): Promise<string> {
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
  started.set(state, { nonce, verifier })
  const codeChallenge = await oidc.calculatePKCECodeChallenge(verifier)
  const pkce = { code_challenge: codeChallenge, code_challenge_method: 'S256' }
  return oidc.buildAuthorizationUrl(configuration, { redirect_uri: redirectUri, scope, state, nonce, ...pkce }).href
}

async function registerClient(): Promise<void> {
  const response = await fetch(`${SIMULATOR_URL}/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'search', ...credentials, redirect_uris: [redirectUri] }),
  })
  if (!response.ok) throw new Error(`The provider simulator rejected the client: ${await response.text()}`)
}

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { get, post, register, requireText, signIn, startSimulator, withQuery } from '../simulator.ts'

// Logins at the social provider.

export const redirectUri = 'http://localhost:9/callback'
export const clientId = '1234567890'
export const clientSecret = 'app-secret'
export const client = {
  provider: 'social',
  client_id: clientId,
  client_secret: clientSecret,
  redirect_uris: [redirectUri],
}

/** An application's webhook URLs. */
interface Received {
  readonly path: string | undefined
  readonly content_type: string | undefined
  readonly form: URLSearchParams
}
export let received: Received[]
const receiver = createServer((request: IncomingMessage, response) => {
  void textOf(request).then((body) => {
    const { url: path, headers } = request
    received.push({ path, content_type: headers['content-type'], form: new URLSearchParams(body) })
    response.end('{"url":"https://shop.example.com/deletion/1","confirmation_code":"1"}')
  })
})

export let url: string
export let graph: string
export let simulator: Awaited<ReturnType<typeof startSimulator>>

/** Starts a simulator for the tests of the file that calls it. */
export function setSimulator(): void {
  beforeAll(async () => {
    simulator = await startSimulator()
    url = `${simulator.url}/social`
    graph = `${url}/v26.0`
    receiver.listen(0)
    await once(receiver, 'listening')
    const bound = receiver.address()
    const webhookBase = `http://localhost:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
    await Promise.all([
      register(simulator.url, client),
      register(simulator.url, { ...client, client_id: 'other' }),
      register(simulator.url, { ...client, client_id: 'strict', appsecret_proof_required: true }),
      register(simulator.url, {
        ...client,
        client_id: 'notified',
        name: 'The shop',
        deauthorize_uri: `${webhookBase}/deauthorize`,
        data_deletion_uri: `${webhookBase}/data_deletion`,
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
}

export const authorizationParameters = {
  client_id: clientId,
  redirect_uri: redirectUri,
  state: 'a-/b',
  scope: 'public_profile,email',
}
export const authorization = (changes: Record<string, string> = {}) =>
  withQuery(`${graph}/dialog/oauth`, { ...authorizationParameters, ...changes })

export async function codeFor(user: string, changes: Record<string, string> = {}, fields: Record<string, string> = {}) {
  return requireText((await signIn(authorization(changes), { user, ...fields })).searchParams.get('code'))
}

export const exchange = (code: string, changes: Record<string, string> = {}) =>
  post(`${graph}/oauth/access_token`, {
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
    ...changes,
  })

export async function tokenFor(
  user: string,
  changes: Record<string, string> = {},
  fields: Record<string, string> = {},
) {
  const { client_id: id = clientId } = changes
  return requireText((await exchange(await codeFor(user, changes, fields), { client_id: id })).json.access_token)
}

export const exchangeForLongLivedToken = (fbExchangeToken: string, changes: Record<string, string> = {}) =>
  post(`${graph}/oauth/access_token`, {
    grant_type: 'fb_exchange_token',
    fb_exchange_token: fbExchangeToken,
    client_id: clientId,
    client_secret: clientSecret,
    ...changes,
  })

export const me = (accessToken: string, parameters: Record<string, string> = {}) =>
  get(withQuery(`${graph}/me`, parameters), accessToken)

export const remove = (path: string, accessToken: string) =>
  fetch(`${graph}${path}`, { method: 'DELETE', headers: { authorization: `Bearer ${accessToken}` } })

export const expectedGraphError = (code: number, type = 'OAuthException') => ({
  error: expect.objectContaining({ type, code, message: expect.any(String), fbtrace_id: expect.any(String) }),
})

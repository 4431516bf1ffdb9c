import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text as bodyOf } from 'node:stream/consumers'
import { decodeJwt, importPKCS8, SignJWT } from 'jose'
import { afterAll, beforeAll, expect } from 'vitest'
import { z } from 'zod'
import { simulatedClock } from '../../simulated-clock.ts'
import { openForm, post, register, requireText, sendForm, startSimulator, withQuery } from '../simulator.ts'

// Logins at the device provider.

export const redirectUri = 'http://localhost:9/callback'
export const clientId = 'com.example.shop'
export const pem = { type: 'pkcs8', format: 'pem' } as const
export const spki = { type: 'spki', format: 'pem' } as const
export const newKeys = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256', privateKeyEncoding: pem, publicKeyEncoding: spki })
export const keys = newKeys()
export const client = {
  provider: 'device',
  client_id: clientId,
  redirect_uris: [redirectUri],
  public_key: keys.publicKey,
  team_id: 'TEAM123456',
  key_id: 'KEY1234567',
}

export let issuer: string
export let simulator: Awaited<ReturnType<typeof startSimulator>>
export let server: Awaited<ReturnType<typeof listenForWebhooks>>

/** Starts a simulator for the tests of the file that calls it. */
export function setSimulator(): void {
  beforeAll(async () => {
    simulator = await startSimulator()
    server = await listenForWebhooks()
    issuer = `${simulator.url}/device`
    await Promise.all([
      register(simulator.url, { ...client, notification_uri: server.url }),
      register(simulator.url, { ...client, client_id: 'com.example.same-team' }),
      register(simulator.url, { ...client, client_id: 'com.example.other-team', team_id: 'TEAM654321' }),
    ])
  })
  afterAll(async () => {
    await simulator[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
}

export const authorizationParameters = {
  response_type: 'code',
  response_mode: 'form_post',
  scope: 'name email',
  client_id: clientId,
  redirect_uri: redirectUri,
  state: 'a-/b',
  nonce: 'n-1',
}
export const authorization = (changes: Record<string, string> = {}) =>
  withQuery(`${issuer}/auth/authorize`, { ...authorizationParameters, ...changes })

const Form = z.object({ action: z.string(), fields: z.record(z.string(), z.string()) })

/** The form that a browser posts to the application by itself. */
export async function formOf(response: Response) {
  const html = await response.text()
  expect(response.status, html).toBe(200)
  const decode = (value: string) =>
    value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return Form.parse({
    action: /<form id="form-post" method="post" action="([^"]+)"/.exec(html)?.[1],
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, decode(value)])),
  })
}

export async function submitDecision(fields: Record<string, string>, changes: Record<string, string> = {}) {
  const { handle } = await openForm(authorization(changes))
  return sendForm(simulator.url, { handle, decision: 'allow', ...fields })
}

export const consent = async (user: string, changes: Record<string, string> = {}) =>
  (await formOf(await submitDecision({ user }, changes))).fields

/** A valid client secret; `claims` and `header` change it. */
export async function mint({ claims = {}, header = {}, key = keys.privateKey, lasts = 300 } = {}): Promise<string> {
  const now = Math.floor(simulatedClock.now() / 1_000)
  return new SignJWT({ iss: 'TEAM123456', sub: clientId, aud: issuer, iat: now, exp: now + lasts, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'KEY1234567', ...header })
    .sign(await importPKCS8(key, 'ES256'))
}

export const exchange = async (code: string, changes: Record<string, string> = {}) =>
  post(`${issuer}/auth/token`, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: await mint(),
    ...changes,
  })

export async function tokensFor(user: string, changes: Record<string, string> = {}) {
  const { json } = await exchange(requireText((await consent(user, changes)).code))
  const [idToken, refreshToken] = [requireText(json.id_token), requireText(json.refresh_token)]
  return {
    id_token: idToken,
    refresh_token: refreshToken,
    access_token: requireText(json.access_token),
    claims: decodeJwt(idToken),
  }
}

export const withSecret = async (path: string, fields: Record<string, string>) =>
  fetch(`${issuer}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, client_secret: await mint(), ...fields }),
  })

export async function refresh(refreshToken: string) {
  const response = await withSecret('/auth/token', { grant_type: 'refresh_token', refresh_token: refreshToken })
  return { status: response.status, json: z.looseObject({}).parse(await response.json()) }
}

/** An application's server that stores the webhooks it receives. */
async function listenForWebhooks() {
  const received: { type: string | undefined; payload: string }[] = []
  const listening = createServer(async (request, response) => {
    const { payload } = z.strictObject({ payload: z.string() }).parse(JSON.parse(await bodyOf(request)))
    received.push({ type: request.headers['content-type'], payload })
    response.end()
  }).listen(0)
  await once(listening, 'listening')
  const bound = listening.address()
  return {
    url: `http://localhost:${typeof bound === 'object' ? bound?.port : 0}/notices`,
    received,
    async [Symbol.asyncDispose]() {
      listening.closeAllConnections()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
}

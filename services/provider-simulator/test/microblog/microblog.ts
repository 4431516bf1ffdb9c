import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { oauth1Signature, percentEncode } from '#http'
import { simulatedClock } from '../../simulated-clock.ts'
import { register, requireText, signIn, startSimulator, withQuery } from '../simulator.ts'

// Logins at the microblog provider.

export const redirectUri = 'http://localhost:9/callback'
export const clientId = 'xvz1evFS4wEEPTGEFPHBog'
export const clientSecret = "-kAcSOqF+21Fu/85e7z:jz7'Z"
export const client = {
  provider: 'microblog',
  client_id: clientId,
  client_secret: clientSecret,
  redirect_uris: [redirectUri],
}

export let base: string
export let simulator: Awaited<ReturnType<typeof startSimulator>>

/** Starts a simulator for the tests of the file that calls it. */
export function setSimulator(): void {
  beforeAll(async () => {
    simulator = await startSimulator()
    base = `${simulator.url}/microblog`
    await Promise.all([
      register(simulator.url, client),
      register(simulator.url, { ...client, client_id: 'other' }),
      register(simulator.url, { ...client, client_id: 'version-2-alone', api_v1: false }),
    ])
  })
  afterAll(() => simulator[Symbol.asyncDispose]())
}

/** Lets time pass for the simulator of the file, for good: what a test stored must not be newer than what the next one does. */
export function passTime(seconds: number): void {
  const { now } = simulatedClock
  simulatedClock.now = () => now() + seconds * 1_000
}

export interface Token {
  readonly token: string
  readonly secret: string
}

/** A signed call as a client makes it; `protocol` adds to or replaces its parameters before they are signed. */
export async function signed(
  method: string,
  path: string,
  { token, protocol = {} }: { token?: Token; protocol?: Record<string, string> } = {},
) {
  const url = base + path
  const parameters = {
    oauth_consumer_key: clientId,
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(simulatedClock.now() / 1_000)),
    oauth_version: '1.0',
    ...(token && { oauth_token: token.token }),
    ...protocol,
  }
  const all = [...new URL(url).searchParams, ...Object.entries(parameters)]
  const secrets = { client_secret: clientSecret, tokenSecret: token?.secret ?? '' }
  const oauthSignature = oauth1Signature({ method, url, parameters: all }, secrets)
  return send(method, path, { oauth_signature: oauthSignature, ...parameters })
}

export async function send(method: string, path: string, parameters: Record<string, string>) {
  const fields = Object.entries(parameters).map(([name, value]) => `${name}="${percentEncode(value)}"`)
  const headers = { authorization: `OAuth ${fields.join(', ')}` }
  const response = await fetch(base + path, { method, headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

export const error = (status: number, code: number) => ({
  status,
  json: { errors: [{ code, message: expect.any(String) }] },
})
export const jsonOf = ({ status, text }: { status: number; text: string }) => ({ status, json: JSON.parse(text) })

export async function requestToken(oauthCallback = `${redirectUri}?state=s-1`, protocol: Record<string, string> = {}) {
  const response = await signed('POST', '/oauth/request_token', {
    protocol: { oauth_callback: oauthCallback, ...protocol },
  })
  expect(response.status, response.text).toBe(200)
  const form = new URLSearchParams(response.text)
  return { token: form.get('oauth_token') ?? '', secret: form.get('oauth_token_secret') ?? '' }
}

export const authentication = (oauthToken: string) =>
  withQuery(`${base}/oauth/authenticate`, { oauth_token: oauthToken })

export async function consent(user: string, protocol: Record<string, string> = {}) {
  const request = await requestToken(undefined, protocol)
  const callback = await signIn(authentication(request.token), { user })
  return { request, oauth_verifier: requireText(callback.searchParams.get('oauth_verifier')) }
}

export async function accessFor(user: string, protocol: Record<string, string> = {}) {
  const { request, oauth_verifier } = await consent(user, protocol)
  const response = await signed('POST', '/oauth/access_token', {
    token: request,
    protocol: { ...protocol, oauth_verifier },
  })
  expect(response.status, response.text).toBe(200)
  const {
    oauth_token = '',
    oauth_token_secret = '',
    ...linkedUser
  } = Object.fromEntries(new URLSearchParams(response.text))
  return { token: oauth_token, secret: oauth_token_secret, ...linkedUser }
}

export const account = '/1.1/account/verify_credentials.json'

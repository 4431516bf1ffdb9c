import { decodeJwt } from 'jose'
import { afterAll, beforeAll } from 'vitest'
import { post, register, requireText, signIn, startSimulator, withQuery } from '../simulator.ts'

// Logins at the messaging provider.

export const client = {
  provider: 'messaging',
  client_id: '1650000001',
  client_secret: '0123456789abcdef0123456789abcdef',
  redirect_uris: ['http://localhost:9/callback?site=1'],
  official_account: true,
}
export const withoutAccount = { ...client, client_id: '1650000002', official_account: false }
/** A channel with two permissions of LINE Profile+. */
export const approved = { ...client, client_id: '1650000003', permissions: ['real_name', 'phone'] }
export const { client_id, client_secret } = client
export const redirectUri = 'http://localhost:9/callback?site=1'

export let issuer: string
export let tokenEndpoint: string
export let simulator: Awaited<ReturnType<typeof startSimulator>>

/** Starts a simulator for the tests of the file that calls it. */
export function setSimulator(): void {
  beforeAll(async () => {
    simulator = await startSimulator()
    issuer = `${simulator.url}/messaging`
    tokenEndpoint = `${issuer}/oauth2/v2.1/token`
    await Promise.all([
      register(simulator.url, client),
      register(simulator.url, withoutAccount),
      register(simulator.url, approved),
    ])
  })
  afterAll(() => simulator[Symbol.asyncDispose]())
}

export const request = {
  response_type: 'code',
  client_id,
  redirect_uri: redirectUri,
  state: 'abc123',
  scope: 'openid profile email',
}

export function authorization(changes: Record<string, string> = {}): string {
  return withQuery(`${issuer}/oauth2/v2.1/authorize`, { ...request, ...changes })
}

export async function codeFor(user: string, changes: Record<string, string> = {}): Promise<string> {
  const callback = await signIn(authorization(changes), { user })
  return requireText(callback.searchParams.get('code'))
}

export function exchange(code: string, changes: Record<string, string> = {}) {
  return post(tokenEndpoint, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id,
    client_secret,
    ...changes,
  })
}

export async function tokensFor(user: string, changes: Record<string, string> = {}) {
  const { json } = await exchange(await codeFor(user, changes), { client_id, ...changes })
  return { ...json, access_token: requireText(json.access_token), refresh_token: requireText(json.refresh_token) }
}

export async function claimsFor(user: string, changes: Record<string, string> = {}) {
  const { json } = await exchange(await codeFor(user, changes))
  return decodeJwt(requireText(json.id_token))
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#contracts'
import type { RunningService } from '#runtime'
import { createOwnLoginsFixture, redirectUri, type TestClient } from './logins.ts'

const logins = createOwnLoginsFixture()
let replicas: RunningService<{ port: number }>[]
beforeAll(async () => {
  replicas = await Promise.all([1, 2].map(() => logins.startReplica({ TRUSTED_PROXY_HOPS: '1' })))
})
afterAll(async () => {
  await Promise.all(replicas.map(({ stop }) => stop()))
})

/** A token request through a proxy, at one of the replicas. */
async function redeem(
  client: TestClient,
  { code = 'slac_x', from = '192.0.2.1', replica = 0 } = {},
): Promise<Response> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...client }
  return fetch(`http://localhost:${replicas[replica]?.exposed.port}/oauth2/token`, {
    method: 'POST',
    headers: { 'x-forwarded-for': from },
    body: new URLSearchParams(form),
  })
}

/** Fails as often as the limit allows, at both replicas in turn. */
async function fail(client: TestClient, from = '192.0.2.1'): Promise<void> {
  const wrong = { ...client, client_secret: 'slcs_wrong' }
  for (let attempt = 0; attempt < limits.client_failures_per_window; attempt++)
    expect((await redeem(wrong, { from, replica: attempt % 2 })).status).toBe(401)
}

test('429 for a client that failed to authenticate too often, counted by all replicas', async () => {
  const client = await logins.registerClient()
  await fail(client)
  for (const replica of [0, 1]) {
    const response = await redeem({ ...client, client_secret: 'slcs_wrong' }, { replica })
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(limits.rate_window_seconds + 1)
    expect(await response.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Client authentication failed too often.',
    })
  }
})

test('the correct secret is accepted, regardless of the failures from its address', async () => {
  const client = await logins.registerClient()
  await fail(client, '192.0.2.6')
  expect((await redeem({ ...client, client_secret: 'slcs_wrong' }, { from: '192.0.2.6' })).status).toBe(429)
  for (const replica of [0, 1]) {
    const { code } = await logins.endLogin(client.client_id)
    expect((await redeem(client, { code, from: '192.0.2.6', replica })).status).toBe(200)
  }
})

test('an unknown client is limited like a wrong secret, with the same response', async () => {
  const unknownUser = { client_id: 'unknown', client_secret: 'slcs_wrong' }
  await fail(unknownUser, '192.0.2.7')
  expect((await redeem(unknownUser, { from: '192.0.2.7' })).status).toBe(429)
})

test('neither the client at another address nor another client at that address is limited', async () => {
  const [client, other] = await Promise.all([logins.registerClient(), logins.registerClient()])
  const wrong = (of: TestClient) => ({ ...of, client_secret: 'slcs_wrong' })
  await fail(client, '192.0.2.2')
  expect((await redeem(wrong(client), { from: '192.0.2.2' })).status).toBe(429)
  expect((await redeem(wrong(client), { from: '192.0.2.3' })).status).toBe(401)
  expect((await redeem(wrong(other), { from: '192.0.2.2' })).status).toBe(401)
})

test('successful requests and invalid codes do not count', async () => {
  const client = await logins.registerClient()
  for (let attempt = 0; attempt <= limits.client_failures_per_window; attempt++)
    expect((await redeem(client, { from: '192.0.2.4' })).status).toBe(400)
})

test('the addresses of an IPv6 network count as one', async () => {
  const client = await logins.registerClient()
  const wrong = { ...client, client_secret: 'slcs_wrong' }
  await fail(client, '2001:db8:1:2::1')
  expect((await redeem(wrong, { from: '2001:db8:1:2::2' })).status).toBe(429)
  expect((await redeem(wrong, { from: '2001:db8:1:3::1' })).status).toBe(401)
})

test('while Redis is unavailable each replica counts by itself', async () => {
  const client = await logins.registerClient()
  const wrong = { ...client, client_secret: 'slcs_wrong' }
  await logins.serviceStack.redis.stop()
  for (let attempt = 0; attempt < limits.client_failures_per_window; attempt++)
    expect((await redeem(wrong, { from: '192.0.2.5' })).status).toBe(401)
  expect((await redeem(wrong, { from: '192.0.2.5' })).status).toBe(429)
  expect((await redeem(wrong, { from: '192.0.2.5', replica: 1 })).status).toBe(401)
  expect((await redeem(client, { from: '192.0.2.5' })).status).toBe(400)
  await logins.serviceStack.redis.start()
  for (const replica of replicas)
    await expect
      .poll(async () => (await fetch(`http://localhost:${replica.operations_port}/metrics`)).text())
      .toMatch(/^sociallogin_redis_connected\{[^}]*\} 1$/m)
})

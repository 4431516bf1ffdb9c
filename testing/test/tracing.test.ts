import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#local'
import { nodeEnvironment, type SeededSite, type ServiceStack, seedSite, startStack, waitFor } from '#testing'
import { logInWith } from '../../services/provider-auth/test/browser.ts'
import { type CollectedSpan, type Collector, startCollector } from '../collector.ts'

/** Traces of callers; the second one is not sampled. */
const claimed = 'c1a1'.repeat(8)
const dropped = 'd40b'.repeat(8)

let serviceStack: ServiceStack
let site: SeededSite
let collector: Collector
/** Services in separate processes, which sample all traces. */
const processes = new Map<string, { stop: () => Promise<string>; base: string }>()

beforeAll(async () => {
  const ring = `test:${randomBytes(32).toString('base64')}`
  serviceStack = await startStack({ providerAuthEnvironment: { ENCRYPTION_KEYS: ring } })
  site = await seedSite(serviceStack)
  collector = await startCollector()
  const { services, database_urls, redis, auth, simulator } = serviceStack
  await Promise.all([...services.identity, ...services.provider_auth].map(({ stop }) => stop()))
  const gateway = {
    REDIS_URL: redis.url,
    WEB_API_URL: 'https://api.example.com',
    RATE_TIMEOUT_MS: '2000',
    CURSOR_KEY: randomBytes(32).toString('base64'),
  }
  const ofProviderAuth = {
    DATABASE_URL: database_urls.provider_auth,
    REDIS_URL: redis.url,
    PORT: new URL(auth).port,
    AUTH_URL: auth,
    ENCRYPTION_KEYS: ring,
    PROVIDER_SIMULATOR_URL: simulator,
    NODE_ENV: 'test',
  }
  processes.set('identity', await run('identity', { DATABASE_URL: database_urls.identity }))
  processes.set('provider-auth', await run('provider-auth', ofProviderAuth))
  processes.set('gateway', await run('api-gateway', gateway))
  processes.set('trusting', await run('api-gateway', { ...gateway, TRUST_TRACEPARENT: 'yes' }))
})

afterAll(async () => {
  await stopAll()
  await collector?.[Symbol.asyncDispose]()
  await serviceStack?.[Symbol.asyncDispose]()
})

/** Stops them, which exports the remaining spans. Resolves with their output. */
async function stopAll(): Promise<string[]> {
  return Promise.all([...processes.values()].map(({ stop }) => stop()))
}

async function run(name: string, environment: Record<string, string>) {
  const [port, operations] = await Promise.all([findFreePort(), findFreePort()])
  const child = spawn(process.execPath, [`services/${name}/main.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...nodeEnvironment,
      PORT: String(port),
      ...environment,
      NATS_URL: serviceStack.nats.url,
      OPS_PORT: String(operations),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
    },
  })
  const printed = text(child.stdout)
  const ended = once(child, 'exit')
  const ready = async () => expect((await fetch(`http://127.0.0.1:${operations}/readyz`)).ok).toBe(true)
  await waitFor(ready, { interval: 100 })
  return {
    base: `http://127.0.0.1:${port}/api`,
    /** Stops it gracefully, which exports the remaining spans; resolves with its output. */
    async stop() {
      child.kill('SIGTERM')
      await ended
      return printed
    },
  }
}

const attribute = (span: CollectedSpan | undefined, name: string) => {
  const { stringValue, intValue } = span?.attributes.find(({ key }) => key === name)?.value ?? {}
  return stringValue ?? Number(intValue)
}

test('a request is one trace from the gateway over the bus to SQL, logins are traced, and spans contain only names and numbers', async () => {
  const call = async (
    by: 'gateway' | 'trusting',
    operation: string,
    { parameters = {}, key = site.api_key, trace = claimed, flags = '01' } = {},
  ) =>
    fetch(`${processes.get(by)?.base}/${operation}?${new URLSearchParams({ key, ...parameters })}`, {
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-${flags}`, 'user-agent': 'agent_canary' },
    })
  const named = (primaryKey: string) => ({ parameters: { primary_key: primaryKey } })
  expect((await call('gateway', 'create_user', named('first_canary'))).status).toBe(200)
  expect((await call('gateway', 'create_user', named('first_canary'))).status).toBe(400)
  expect((await call('gateway', 'user_attribute', named('second_canary'))).status).toBe(404)
  expect((await call('gateway', 'appinfo', { key: 'key_canary' })).status).toBe(401)
  expect((await call('trusting', 'create_user', named('third_canary'))).status).toBe(200)
  expect((await call('trusting', 'create_user', { ...named('x_canary'), trace: dropped, flags: '00' })).status).toBe(
    200,
  )
  const secrets = await logInForTokens()
  const logs = await stopAll()

  const { spans } = collector
  const roots = spans.filter(({ name, service }) => service === 'api-gateway' && name === 'GET create_user')
  const own = roots.find((span) => !span.parentSpanId && attribute(span, 'http.response.status_code') === 200)
  const below = (parent: CollectedSpan | undefined) =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)
  const clientSpan = below(own).find(({ name }) => name === 'identity.createUser request')
  const [serverSpan] = below(clientSpan)
  expect(serverSpan).toMatchObject({ service: 'identity', name: 'identity.createUser process', traceId: own?.traceId })
  const statements = below(serverSpan)
  expect(statements.length).toBeGreaterThan(0)
  expect(new Set(statements.map((span) => attribute(span, 'db.system.name')))).toEqual(new Set(['postgresql']))
  expect(statements.map(({ name }) => name)).toContain('insert users')
  expect(attribute(own, 'http.route')).toBe('create_user')

  // The process that starts a trace decides about sampling.
  expect(roots.filter(({ traceId }) => traceId === claimed)).toMatchObject([{ parentSpanId: '00f067aa0ba902b7' }])
  expect(spans.filter(({ traceId }) => traceId === dropped)).toEqual([])

  const callback = spans.find(({ service, name }) => service === 'provider-auth' && /^GET .*callback/.test(name))
  const inLogin = spans.filter(({ traceId }) => traceId === callback?.traceId)
  expect(inLogin.map(({ name }) => name)).toContain('identity.recordLogin process')

  const lines = logs.join('\n').split('\n')
  expect(lines.some((line) => line.includes(`"trace_id":"${own?.traceId}"`) && line.includes('create_user'))).toBe(true)

  const exported = collector.received.join('\n')
  expect(exported).not.toContain('canary')
  for (const secret of [
    site.api_key,
    site.client.client_secret,
    ...secrets,
    'key=',
    'code=',
    'state=',
    'select ',
    'values (',
  ]) {
    expect(exported.replaceAll(/"name":"select \w+"/g, '')).not.toContain(secret)
  }
  const documented = readFileSync('docs/operate/traces.md', 'utf8')
  const attributes = new Set(spans.flatMap((span) => span.attributes.map(({ key }) => key)))
  expect([...attributes].filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})

/** A complete login with its tokens; returns the secrets that were sent. */
async function logInForTokens(): Promise<string[]> {
  const { client } = site
  const callback = await logInWith(site, 'search', { parameters: { state: 'state_canary' } })
  const code = callback.searchParams.get('code') ?? ''
  const redeemed = await fetch(`${serviceStack.auth}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: client.redirect_uri }),
  })
  const tokens: unknown = await redeemed.json()
  const secrets = [code, ...['access_token', 'id_token'].map((name) => String(Reflect.get(Object(tokens), name)))]
  expect(secrets.filter((secret) => secret.length < 20)).toEqual([])
  return secrets
}

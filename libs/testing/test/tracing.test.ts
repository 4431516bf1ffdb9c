import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '#local'
import { type Constellation, type SeededSite, seedSite, startConstellation } from '#testing'
import { type CollectedSpan, type Collector, startCollector } from '../collector.ts'

/** A trace a caller claims to be part of. */
const claimed = 'c1a1'.repeat(8)

let constellation: Constellation
let site: SeededSite
let collector: Collector
/** Services in processes of their own, which trace all they do. */
const processes: { stop: () => Promise<string>; base: string }[] = []

beforeAll(async () => {
  constellation = await startConstellation()
  site = await seedSite(constellation)
  collector = await startCollector()
  await Promise.all(constellation.services.identity.map(({ stop }) => stop()))
  const gateway = {
    REDIS_URL: constellation.redis.url,
    WEB_API_URL: 'https://api.example.com',
    RATE_TIMEOUT_MS: '2000',
  }
  const key = randomBytes(32).toString('base64')
  processes.push(await run('identity', { DATABASE_URL: constellation.database_urls.identity }))
  processes.push(await run('api-gateway', { ...gateway, CURSOR_KEY: key }))
  processes.push(await run('api-gateway', { ...gateway, CURSOR_KEY: key, TRUST_TRACEPARENT: 'yes' }))
}, 120_000)

afterAll(async () => {
  await Promise.all(processes.map(({ stop }) => stop()))
  await collector?.[Symbol.asyncDispose]()
  await constellation?.[Symbol.asyncDispose]()
})

async function run(name: string, environment: Record<string, string>) {
  const [port, operations] = await Promise.all([freePort(), freePort()])
  const child = spawn(process.execPath, [`services/${name}/main.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...environment,
      NATS_URL: constellation.nats.url,
      PORT: String(port),
      OPS_PORT: String(operations),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
    },
  })
  const printed = text(child.stdout)
  const ended = once(child, 'exit')
  const ready = async () => expect((await fetch(`http://127.0.0.1:${operations}/readyz`)).ok).toBe(true)
  await vi.waitFor(ready, { timeout: 60_000, interval: 100 })
  return {
    base: `http://127.0.0.1:${port}/api`,
    /** Ends it in order, so that it exports what is left, and resolves with all it printed. */
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

test('a request is one trace from the gateway over the bus to SQL, and what is exported holds names and numbers alone', async () => {
  const [, gateway, trusting] = processes
  const call = async (
    base: string | undefined,
    operation: string,
    parameters: Record<string, string>,
    key = site.api_key,
  ) =>
    fetch(`${base}/${operation}?${new URLSearchParams({ key, ...parameters })}`, {
      headers: { traceparent: `00-${claimed}-00f067aa0ba902b7-01`, 'user-agent': 'agent_canary' },
    })
  expect((await call(gateway?.base, 'create_user', { primary_key: 'first_canary' })).status).toBe(200)
  expect((await call(gateway?.base, 'create_user', { primary_key: 'first_canary' })).status).toBe(400)
  expect((await call(gateway?.base, 'user_attribute', { primary_key: 'second_canary' })).status).toBe(404)
  expect((await call(gateway?.base, 'appinfo', {}, 'key_canary')).status).toBe(401)
  expect((await call(trusting?.base, 'create_user', { primary_key: 'third_canary' })).status).toBe(200)
  const logs = await Promise.all(processes.map(({ stop }) => stop()))

  const { spans } = collector
  const roots = spans.filter(({ name, service }) => service === 'api-gateway' && name === 'GET create_user')
  const own = roots.find((span) => !span.parentSpanId && attribute(span, 'http.response.status_code') === 200)
  const below = (parent: CollectedSpan | undefined) =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)
  const asked = below(own).find(({ name }) => name === 'identity.createUser request')
  const [answered] = below(asked)
  expect(answered).toMatchObject({ service: 'identity', name: 'identity.createUser process', traceId: own?.traceId })
  const statements = below(answered)
  expect(statements.length).toBeGreaterThan(0)
  expect(new Set(statements.map((span) => attribute(span, 'db.system.name')))).toEqual(new Set(['postgresql']))
  expect(statements.map(({ name }) => name)).toContain('insert users')
  expect(attribute(own, 'http.route')).toBe('create_user')

  const trusted = roots.filter(({ traceId }) => traceId === claimed)
  expect(trusted).toMatchObject([{ parentSpanId: '00f067aa0ba902b7' }])

  const lines = logs.join('\n').split('\n')
  expect(lines.some((line) => line.includes(`"trace_id":"${own?.traceId}"`) && line.includes('create_user'))).toBe(true)

  const exported = collector.received.join('\n')
  expect(exported).not.toContain('canary')
  for (const secret of [site.api_key, site.client.client_secret, 'key=', 'select ', 'values (']) {
    expect(exported.replaceAll(/"name":"select \w+"/g, '')).not.toContain(secret)
  }
}, 60_000)

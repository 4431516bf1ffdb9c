import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findFreePort } from '#local'
import { nodeEnvironment, waitFor } from '#testing'
import { createCaller, errorResponses } from './caller.ts'
import { unknownIdentifier } from './patterns.ts'
import { setStage } from './stage.ts'

const stage = setStage()
const main = new URL('../main.ts', import.meta.url).pathname

/** Settings of a gateway in the stack, on free ports. */
async function usableSettings() {
  const [port, operationsPort] = await Promise.all([findFreePort(), findFreePort()])
  const settings = {
    NATS_URL: stage.serviceStack.nats.url,
    REDIS_URL: stage.serviceStack.redis.url,
    PORT: String(port),
    OPS_PORT: String(operationsPort),
    WEB_API_URL: 'https://api.example.com',
    CURSOR_KEY: randomBytes(32).toString('base64'),
  }
  return { settings, web_api: `http://localhost:${port}/api`, operations: `http://localhost:${operationsPort}` }
}

async function untilReady(operations: string): Promise<void> {
  await waitFor(async () => expect((await fetch(`${operations}/readyz`)).status).toBe(200))
}

function startGateway(environment: Record<string, string>): { child: ChildProcess; printed: Promise<string> } {
  const child = spawn(process.execPath, [main], {
    env: { ...nodeEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = child
  return { child, printed: Promise.all([text(stdout), text(stderr)]).then((both) => both.join('')) }
}

test('a gateway process serves, stops on SIGTERM, and never has a key or an ID in logs or metrics', async () => {
  const { settings, web_api, operations } = await usableSettings()
  const { child, printed } = startGateway({ ...settings, LOG_LEVEL: 'trace' })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => void child.kill('SIGKILL'))
  await untilReady(operations)
  const statuses = await Promise.all(
    ['startupz', 'livez', 'routez'].map(async (path) => (await fetch(`${operations}/${path}`)).status),
  )
  expect(statuses).toEqual([200, 200, 404])

  const { api_key } = stage.site
  const caller = createCaller(web_api, api_key)
  const wrong = createCaller(web_api, 'sl_wrong_key_canary')
  expect(await caller.get('appinfo')).toMatchObject({ status: 200 })
  expect(await caller.get('create_user', { primary_key: 'primary_key_canary' })).toMatchObject({ status: 200 })
  expect(await caller.post('user_attribute', { primary_key: 'primary_key_canary' })).toMatchObject({ status: 200 })
  expect(await caller.get('user_attribute', { identifier: unknownIdentifier })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await caller.get('users', { limit: 'canary' })).toMatchObject(errorResponses.invalid_parameter)
  expect(await wrong.get('appinfo')).toMatchObject(errorResponses.invalid_api_key)
  const measured = await (await fetch(`${operations}/metrics`)).text()

  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  const output = `${await printed}${measured}`
  expect(output).toContain('"route":"user_attribute"')
  expect(output).toMatch(/^sociallogin_apikey_checks_total{result="invalid_api_key",[^}]*} 1$/m)
  expect(output).toMatch(/^sociallogin_ratelimit_decisions_total{decision="allowed",mode="exact",[^}]*} 5$/m)
  for (const secret of [api_key, 'canary', unknownIdentifier, 'limit=']) expect(output).not.toContain(secret)
})

test('a gateway starts without Redis and applies its own share of the limit', async () => {
  const { settings, web_api, operations } = await usableSettings()
  const { child } = startGateway({
    ...settings,
    REDIS_URL: `redis://localhost:${await findFreePort()}`,
    LOG_LEVEL: 'silent',
  })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => void child.kill('SIGKILL'))
  await untilReady(operations)
  const { status, headers } = await createCaller(web_api, stage.site.api_key).get('appinfo')
  expect([status, headers.get('x-ratelimit-mode')]).toEqual([200, 'degraded'])
})

test('with invalid settings it prints all errors and exits with 1', async () => {
  const environment = {
    REDIS_URL: 'http://localhost',
    CURSOR_KEY: 'c2hvcnQ=',
    WEB_API_URL: 'https://api.example.com/',
    PROVIDER_NAMES: 'messaging:search',
    TRUSTED_PROXY_HOPS: '-1',
  }
  const { child, printed } = startGateway(environment)
  expect(await once(child, 'exit')).toEqual([1, null])
  const complaints = await printed
  expect(complaints).toContain('NATS_URL is missing.')
  for (const name of Object.keys(environment)) expect(complaints).toContain(`${name} is wrong`)
  expect(complaints).not.toContain('c2hvcnQ=')
})

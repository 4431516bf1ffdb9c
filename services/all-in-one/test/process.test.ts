import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findFreePort } from '#local'
import { nodeEnvironment, seedSite, startStack, waitFor } from '#testing'
import { createCaller } from '../../api-gateway/test/caller.ts'

const main = new URL('../main.ts', import.meta.url).pathname

function start(environment: Record<string, string>): { child: ChildProcess; printed: Promise<string> } {
  const child = spawn(process.execPath, [main], {
    env: { ...nodeEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = child
  return { child, printed: Promise.all([text(stdout), text(stderr)]).then((both) => both.join('')) }
}

/** Settings of the process for the servers of a stack, on free ports. */
async function settingsNextTo({ database_urls, nats, redis, encryption_keys, console }: Stack) {
  const [operationsPort, webApiPort, authPort, consolePort] = await Promise.all(
    Array.from({ length: 4 }, () => findFreePort()),
  )
  return {
    OPS_PORT: String(operationsPort),
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    IDENTITY_DATABASE_URL: database_urls.identity,
    PROFILE_DATABASE_URL: database_urls.profile,
    FRIENDSHIP_DATABASE_URL: database_urls.friendship,
    EVENTS_DATABASE_URL: database_urls.events,
    PROVIDER_AUTH_DATABASE_URL: database_urls.provider_auth,
    CONSOLE_DATABASE_URL: console.database_url,
    API_GATEWAY_PORT: String(webApiPort),
    PROVIDER_AUTH_PORT: String(authPort),
    CONSOLE_PORT: String(consolePort),
    WEB_API_URL: 'https://api.example.com',
    AUTH_URL: `http://localhost:${authPort}`,
    CONSOLE_URL: `http://localhost:${consolePort}`,
    CURSOR_KEY: randomBytes(32).toString('base64'),
    ENCRYPTION_KEYS: encryption_keys,
    NODE_ENV: 'development',
  }
}

async function startNextTo({ serviceStack, stack }: { serviceStack: Stack; stack: AsyncDisposableStack }) {
  const settings = await settingsNextTo(serviceStack)
  const started = start(settings)
  stack.defer(() => void started.child.kill('SIGKILL'))
  const operations = `http://localhost:${settings.OPS_PORT}`
  await waitFor(async () => expect(await (await fetch(`${operations}/readyz`)).text()).toBe('ready\n'))
  return {
    ...started,
    operations,
    web_api: `http://localhost:${settings.API_GATEWAY_PORT}/api`,
    auth: settings.AUTH_URL,
    console: settings.CONSOLE_URL,
  }
}
type Stack = Awaited<ReturnType<typeof startStack>>

test('one process serves everything, also while NATS is unavailable, reports the metrics of each service, and stops on SIGTERM', async () => {
  await using stack = new AsyncDisposableStack()
  const serviceStack = stack.use(await startStack())
  const { api_key } = await seedSite(serviceStack)
  // Requests can be answered by this process only.
  const { services, console } = serviceStack
  for (const running of [...Object.values(services).flat(), console.replica]) await running.stop()

  const { child, printed, ...addresses } = await startNextTo({ serviceStack, stack })
  const webApi = createCaller(addresses.web_api, api_key)
  const created = await webApi.get('create_user', { primary_key: 'k1' })
  expect(created).toMatchObject({ status: 200 })
  expect((await fetch(`${addresses.auth}/.well-known/openid-configuration`)).status).toBe(200)
  expect((await fetch(addresses.console)).status).toBe(200)

  await serviceStack.nats.stop()
  await waitFor(async () => {
    const ready = await (await fetch(`${addresses.operations}/readyz`)).text()
    expect(ready).toContain('NATS of api-gateway')
  })
  expect(await webApi.get('user_attribute', { primary_key: 'k1' })).toMatchObject({
    status: 200,
    body: { user: { primary_key: 'k1' } },
  })
  await serviceStack.nats.start()

  const metrics = await (await fetch(`${addresses.operations}/metrics`)).text()
  for (const service of ['api-gateway', 'identity', 'profile', 'friendship', 'events', 'provider-auth', 'console'])
    expect(metrics).toMatch(new RegExp(`^sociallogin_build_info{[^}]*service_name="${service}"`, 'm'))
  expect(metrics.match(/^process_resident_memory_bytes/gm)).toHaveLength(1)
  expect(metrics.match(/^# TYPE sociallogin_rpc_server_duration_seconds /gm)).toHaveLength(1)

  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await printed).not.toContain(api_key)
})

test('missing settings are reported with the names that this process reads', async () => {
  const { child, printed } = start({ NATS_URL: 'nats://localhost', IDENTITY_NATS_URL: '', PROFILE_NATS_URL: 'secret' })
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(await printed).toContain('IDENTITY_DATABASE_URL is missing.')
  expect(await printed).toContain('API_GATEWAY_CURSOR_KEY is missing.')
  // Empty variables count as absent, so the setting without a prefix applies.
  expect(await printed).not.toContain('IDENTITY_NATS_URL')
  expect(await printed).toContain('PROFILE_NATS_URL is wrong')
  expect(await printed).not.toContain('secret')
})

test('a server that cannot be used when the process starts is named, without its password', async () => {
  await using serviceStack = await startStack()
  const settings = await settingsNextTo(serviceStack)
  const refused = '127.0.0.1:9'
  const servers = {
    Postgres: { IDENTITY_DATABASE_URL: `postgres://user:hunter2@${refused}/identity` },
    Redis: { REDIS_URL: `redis://user:hunter2@${refused}` },
    'Redis Sentinel': { REDIS_URL: `redis+sentinel://user:hunter2@${refused}/name?sentinel_password=hunter2` },
    NATS: { NATS_URL: `nats://user:hunter2@${refused}` },
  }
  // One after another: they have the same ports. Each tries to connect for seconds.
  for (const [server, setting] of Object.entries(servers)) {
    const { child, printed } = start({ ...settings, ...setting })
    expect(await once(child, 'exit')).toEqual([1, null])
    expect(await printed).toContain(`the service cannot start: ${server} at ${refused} cannot be used (`)
    expect(await printed).not.toContain('hunter2')
  }
})

import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createLogger, createReadiness } from '#runtime'
import { createApp } from './app.ts'
import { listenHttp } from './listen.ts'
import { createRouter } from './router.ts'

test.each([
  ['/things/7', 200, '/things/:thing'],
  ['/things/7/broken', 500, '/things/:thing/broken'],
  ['/below/things/7', 200, '/below/things/:thing'],
  ['/nowhere', 404, 'unknown'],
] as const)('a request of %s with status %i has the route %s in metrics', async (path, status, route) => {
  const registry = new Registry()
  const renderFailure = (ctx: { status: number; body: unknown }, failed: number) => {
    ctx.status = failed
    ctx.body = ''
  }
  const app = createApp({ logger: createLogger('test', 'silent'), registry, headers: {}, renderFailure })
  const routers = [createRouter(), createRouter('/below')]
  for (const router of routers) {
    router.get('/things/:thing', (ctx) => {
      ctx.body = ctx.params.thing
    })
    router.get('/things/:thing/broken', () => {
      throw new Error('broken')
    })
    app.use(router.routes())
  }
  await using listener = await listenHttp(
    { PORT: 0, MAX_CONNECTIONS: 10, TRUSTED_PROXY_HOPS: 0 },
    { app, headers: {}, registry, readiness: createReadiness() },
  )
  expect((await fetch(`http://localhost:${listener.port}${path}`)).status).toBe(status)
  expect(await registry.metrics()).toContain(
    `http_server_request_duration_seconds_count{http_request_method="GET",http_route="${route}",http_response_status_code="${status}"} 1`,
  )
})

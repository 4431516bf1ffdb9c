import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { providerNames } from '#contracts'
import { dataHeaders, listenHttp } from '#http'
import { createReadiness, hashSecret } from '#runtime'
import { createGateway } from './app.ts'
import { createCursors } from './cursors.ts'
import { createCallerCheck } from './http/check-caller.ts'
import { createIdentifyCaller } from './http/identify-caller.ts'
import { createRateLimitCheck } from './http/rate-limit.ts'
import { createRejectCaller } from './http/reject-caller.ts'
import type { OperationDeps } from './operation.ts'
import { createSiteTable } from './site-table.ts'
import { errorResponses, sendRequest } from './test/caller.ts'

test('503/1003 if the table of keys was not confirmed for 30 seconds', async () => {
  let nowMs = 0
  const sites = createSiteTable(() => nowMs)
  const registry = new Registry()
  const standing = { admitted: true, mode: 'exact', limit: 1, remaining: 1, resetMs: 1 } as const
  const baseOf = () => ({ url: 'https://api.example.com', isStatic: false })
  const app = createGateway({
    baseOf,
    findHostProof: () => undefined,
    auth_url: undefined,
    identifyCaller: createIdentifyCaller({
      checkCaller: createCallerCheck({ sites, trusted_hops: 0, baseOf }),
      reject: createRejectCaller(registry, 60),
      registry,
    }),
    findChecked: () => undefined,
    limitRate: createRateLimitCheck(async () => standing, registry, 60),
    isOwnKey: () => true,
    isSiteKnown: () => true,
    isStopping: () => false,
    slots: { take: () => ({ [Symbol.dispose]() {} }) },
    runIdempotent: async (_, __, work) => work({ command: '', repeated: false }),
    // `appinfo` calls no service.
    deps: {
      names: providerNames(),
      cursors: createCursors(randomBytes(32)),
      webApiUrl: 'https://api.example.com',
    } as OperationDeps,
    onResponse: () => {},
    logger: pino({ level: 'silent' }),
    registry,
  })
  await using listener = await listenHttp(
    { PORT: 0, MAX_CONNECTIONS: 10, TRUSTED_PROXY_HOPS: 0 },
    { app, headers: dataHeaders, registry, readiness: createReadiness() },
  )
  const appinfo = () => sendRequest(`http://localhost:${listener.port}/api/appinfo?key=live`)

  expect(await appinfo()).toMatchObject(errorResponses.unavailable)
  const limits = {
    requests_per_window: 1,
    allowed_addresses: [],
    fixed_address_option: false,
    compatibility: [],
    users_may_be_stale: false,
  }
  const keys = [{ api_key_id: '1', key_hash: hashSecret('live') }]
  sites.apply([{ site: 1, account: 'a', site_id: 's', ...limits, keys, revision: 1 }])
  sites.confirm(1, 0)
  nowMs = 30_000
  expect(await appinfo()).toMatchObject({ status: 200 })
  nowMs = 30_001
  const response = await appinfo()
  expect(response).toMatchObject(errorResponses.unavailable)
  expect(response.headers.get('retry-after')).toBe('2')
})

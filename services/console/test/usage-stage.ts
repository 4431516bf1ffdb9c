import type { Knex } from 'knex'
import { beforeAll, vi } from 'vitest'
import {
  type Constellation,
  type ConstellationOptions,
  openForTest,
  type SeededSite,
  seedSite,
  startConstellation,
} from '#testing'
import { insertToken } from '../members/tokens.ts'

/** What a test file of the console's statistics plays on. Its fields are there while tests and hooks run. */
export interface UsageStage {
  constellation: Constellation
  site: SeededSite
  /** The console's database. */
  knex: Knex
  /** Asks the Admin API below the site, as an owner's token; answers the JSON, whatever the status. */
  ask: (path: string, init?: { method: string; body: unknown }) => Promise<{ status: number; body: unknown }>
  /** As `ask`, raw. */
  fetchOf: (path: string, init?: RequestInit) => Promise<Response>
  /** A call of the Web API from an address. */
  callFrom: (address: string, operation: string, options?: CallOptions) => Promise<Response>
}

export interface CallOptions {
  readonly api_key?: string
  readonly gateway?: number
}

/** Starts a constellation with the console and one site; gateways believe `X-Forwarded-For`. */
export function setUsageStage(options: ConstellationOptions = {}): UsageStage {
  // Filled before anybody looks.
  const stage = {} as UsageStage
  beforeAll(async () => {
    const gateway_environment = { TRUSTED_PROXY_HOPS: '1', ...options.gateway_environment }
    const constellation = await startConstellation({ console: {}, ...options, gateway_environment })
    const site = await seedSite(constellation)
    const { knex, ...database } = openForTest(constellation.console.database_url)
    const { token } = await insertToken(knex, {
      account: site.account,
      role: 'owner',
      name: 'test',
      now: new Date(),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    const fetchOf: UsageStage['fetchOf'] = (path, init = {}) =>
      fetch(`${constellation.console.url}/admin/v1/accounts/${site.account}/sites/${site.site_id}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      })
    Object.assign(stage, {
      constellation,
      site,
      knex,
      fetchOf,
      async ask(path, init) {
        const given = init && { method: init.method, body: JSON.stringify(init.body) }
        const response = await fetchOf(path, { ...given, headers: { 'content-type': 'application/json' } })
        return { status: response.status, body: await response.json() }
      },
      callFrom(address, operation, { api_key = site.api_key, gateway = 0 } = {}) {
        return fetch(`${constellation.gateways[gateway]}/${operation}`, {
          headers: { authorization: `Bearer ${api_key}`, 'x-forwarded-for': address },
        })
      },
    } satisfies UsageStage)
    return async () => {
      await database[Symbol.asyncDispose]()
      await constellation[Symbol.asyncDispose]()
    }
  })
  return stage
}

/** Waits for what is reported every two seconds. */
export const reported = <T>(expectation: () => Promise<T>) =>
  vi.waitFor(expectation, { timeout: 15_000, interval: 200 })

import type { Knex } from 'knex'
import { beforeAll, vi } from 'vitest'
import type { Running } from '#runtime'
import {
  type Constellation,
  type ConstellationOptions,
  openForTest,
  type SeededSite,
  seedSite,
  startConstellation,
  startForTest,
} from '#testing'
import { readConfig } from '../config.ts'
import { service } from '../service.ts'
import { insertToken } from '../store/tokens.ts'

/** What a test file of the console's statistics plays on. Its fields are there while tests and hooks run. */
export interface UsageStage {
  constellation: Constellation
  site: SeededSite
  /** The console's database. */
  knex: Knex
  /** Asks the Admin API below the site, as an owner's token; answers the JSON, whatever the status. */
  ask: (path: string, init?: { method: string; body: unknown }) => Promise<{ status: number; body: unknown }>
  /** As `ask`, below the Admin API's base. */
  askAt: UsageStage['ask']
  /** As `ask`, raw. */
  fetchOf: (path: string, init?: RequestInit) => Promise<Response>
  /** Starts one more replica of the console, which ends with the stage. */
  startReplica: () => Promise<void>
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
  const replicas: Running<unknown>[] = []
  beforeAll(async () => {
    const gateway_environment = { TRUSTED_PROXY_HOPS: '1', ...options.gateway_environment }
    const constellation = await startConstellation({ ...options, gateway_environment })
    const site = await seedSite(constellation)
    const { knex, ...database } = openForTest(constellation.console.database_url)
    const { token } = await insertToken(knex, {
      account: site.account,
      role: 'owner',
      name: 'test',
      now: new Date(),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    const place = `/accounts/${site.account}/sites/${site.site_id}`
    const fetchAt = (path: string, init: RequestInit = {}) =>
      fetch(`${constellation.console.url}/admin/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      })
    const askAt: UsageStage['ask'] = async (path, init) => {
      const given = init && { method: init.method, body: JSON.stringify(init.body) }
      const response = await fetchAt(path, { ...given, headers: { 'content-type': 'application/json' } })
      return { status: response.status, body: await response.json() }
    }
    Object.assign(stage, {
      constellation,
      site,
      knex,
      askAt,
      ask: (path, init) => askAt(`${place}${path}`, init),
      fetchOf: (path, init) => fetchAt(`${place}${path}`, init),
      async startReplica() {
        const { url, database_url } = constellation.console
        const environment = {
          DATABASE_URL: database_url,
          NATS_URL: constellation.nats.url,
          CONSOLE_URL: url,
          PORT: '0',
        }
        replicas.push(await startForTest('console', { readConfig, service }, environment))
      },
      callFrom(address, operation, { api_key = site.api_key, gateway = 0 } = {}) {
        return fetch(`${constellation.gateways[gateway]}/${operation}`, {
          headers: { authorization: `Bearer ${api_key}`, 'x-forwarded-for': address },
        })
      },
    } satisfies UsageStage)
    return async () => {
      for (const replica of replicas) await replica.stop()
      await database[Symbol.asyncDispose]()
      await constellation[Symbol.asyncDispose]()
    }
  })
  return stage
}

/** Waits for what is reported every two seconds. */
export const reported = <T>(expectation: () => Promise<T>) =>
  vi.waitFor(expectation, { timeout: 15_000, interval: 200 })

import { beforeAll } from 'vitest'
import { type SeededSite, type ServiceStack, type SharedStack, type StackOptions, seedSite, waitFor } from '#testing'
import { type Managed, newAccount, openManaged, type SendRequest, startManaged } from './managed.ts'

/** A site and clients for tests of usage. The fields are set while tests and hooks run. */
export interface UsageFixture<C = SharedStack> extends Pick<Managed<C>, 'serviceStack' | 'knex' | 'createToken'> {
  site: SeededSite
  /** Sends requests under the path of the site, as an owner of its account. */
  request: SendRequest
  /** Like `send`, under the base path of the Admin API. */
  requestAdminApi: SendRequest
  /** Replaces the site and the requests to it by those of a new account, for tests that count everything of a site. */
  openNewSite: () => Promise<void>
  /** Calls the Web API from an address. */
  callWebApi: (address: string, operation: string, options?: WebApiCallOptions) => Promise<Response>
}

export interface WebApiCallOptions {
  readonly api_key?: string
  readonly gateway?: number
}

/** Creates a site of the shared stack for a test file. */
export function createUsageFixture(): UsageFixture {
  return createFixture(openManaged)
}

/** Starts a stack with one site for a test file. Its gateways trust `X-Forwarded-For`. */
export function createSeparateUsageFixture(options: StackOptions = {}): UsageFixture<ServiceStack> {
  return createFixture(() => startManaged({ gatewayEnvironment: { TRUSTED_PROXY_HOPS: '1' }, ...options }))
}

function createFixture<C extends SharedStack>(open: () => Promise<Managed<C>>): UsageFixture<C> {
  // Filled before the first test.
  const stage = {} as UsageFixture<C>
  beforeAll(async () => {
    const managed = await open()
    const { serviceStack, knex, createToken } = managed
    const openNewSite = async () => {
      const site = await seedSite(serviceStack, { account: newAccount() })
      const requestAdminApi = await managed.createClient(site.account, 'owner', 'test')
      Object.assign(stage, {
        serviceStack,
        knex,
        createToken,
        openNewSite,
        site,
        requestAdminApi,
        request: (method, path, ...rest) =>
          requestAdminApi(method, `/accounts/${site.account}/sites/${site.site_id}${path}`, ...rest),
        callWebApi(address, operation, { api_key = site.api_key, gateway = 0 } = {}) {
          return fetch(`${serviceStack.gateways[gateway]}/${operation}`, {
            headers: { authorization: `Bearer ${api_key}`, 'x-forwarded-for': address },
          })
        },
      } satisfies UsageFixture<C>)
    }
    await openNewSite()
    return () => managed[Symbol.asyncDispose]()
  })
  return stage
}

/** Waits for reports, which services send every two seconds. */
export const waitForReports = <T>(expectation: () => Promise<T>) => waitFor(expectation, { interval: 200 })

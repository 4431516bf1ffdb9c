import { beforeAll, vi } from 'vitest'
import { type SeededSite, type ServiceStack, type SharedStack, type StackOptions, seedSite } from '#testing'
import { type Ask, type Managed, newAccount, openManaged, startManaged } from './managed.ts'

/** What a test file of the console's statistics works with. Its fields are there while tests and hooks run. */
export interface UsageStage<C = SharedStack> extends Pick<Managed<C>, 'serviceStack' | 'knex' | 'tokenOf'> {
  site: SeededSite
  /** Requests below the site, as an owner of its account. */
  ask: Ask
  /** As `ask`, below the Admin API's base. */
  askAt: Ask
  /** A call of the Web API from an address. */
  callFrom: (address: string, operation: string, options?: CallOptions) => Promise<Response>
}

export interface CallOptions {
  readonly api_key?: string
  readonly gateway?: number
}

/** A site of the shared stack for the tests of a file. */
export function setUsageStage(): UsageStage {
  return stageIn(openManaged)
}

/** A stack with one site for the tests of a file, ended after them. Its gateways trust `X-Forwarded-For`. */
export function setOwnUsageStage(options: StackOptions = {}): UsageStage<ServiceStack> {
  return stageIn(() => startManaged({ gatewayEnvironment: { TRUSTED_PROXY_HOPS: '1' }, ...options }))
}

function stageIn<C extends SharedStack>(open: () => Promise<Managed<C>>): UsageStage<C> {
  // Filled before it is read.
  const stage = {} as UsageStage<C>
  beforeAll(async () => {
    const managed = await open()
    const { serviceStack, knex, tokenOf } = managed
    const site = await seedSite(serviceStack, { account: newAccount() })
    const askAt = await managed.as(site.account, 'owner', 'test')
    Object.assign(stage, {
      ...{ serviceStack, knex, tokenOf, site, askAt },
      ask: (method, path, ...rest) => askAt(method, `/accounts/${site.account}/sites/${site.site_id}${path}`, ...rest),
      callFrom(address, operation, { api_key = site.api_key, gateway = 0 } = {}) {
        return fetch(`${serviceStack.gateways[gateway]}/${operation}`, {
          headers: { authorization: `Bearer ${api_key}`, 'x-forwarded-for': address },
        })
      },
    } satisfies UsageStage<C>)
    return () => managed[Symbol.asyncDispose]()
  })
  return stage
}

/** Waits for what is reported every two seconds. */
export const reported = <T>(expectation: () => Promise<T>) =>
  vi.waitFor(expectation, { timeout: 15_000, interval: 200 })

import { mkdir } from 'node:fs/promises'
import type { Step } from '../../../deploy/local/progress.ts'
import { prepare } from '../../seed/prepare.ts'
import type { Prepared } from '../../seed/prepared.ts'
import { readServerPids } from '../../toolkit/stack/server-pids.ts'
import { type LoadTestStack, startLoadTestStack } from '../../toolkit/stack/start.ts'
import { seedProfiles } from './data/profiles.ts'
import type { CountedProcess } from './measurement/arm.ts'

/** The product on this machine with sites and users, as the benchmark measures it. */
export interface Product extends AsyncDisposable {
  readonly serviceStack: LoadTestStack
  readonly prepared: Prepared
  /** Directory of its servers, logs and process IDs. */
  readonly directory: string
  /** Every process except the simulated login providers. */
  readonly processes: () => readonly CountedProcess[]
  /** Base URLs of the gateways, without the balancer. */
  readonly gateways: () => readonly string[]
}

export interface ProductOptions {
  readonly directory: string
  readonly sites: number
  readonly users: number
  readonly gateways: number
  readonly step: Step
  readonly interruption: AbortSignal
}

/** No request of the benchmark reaches it. */
const requestsPerWindow = 1_000_000_000
/** Longer than a run, so that a site that has reached its limit stays limited. */
const rateWindowSeconds = 86_400

export async function startProduct(options: ProductOptions): Promise<Product> {
  const { directory, sites, users, gateways, step, interruption } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await using starting = new AsyncDisposableStack()
  const serviceStack = starting.use(
    await startLoadTestStack(directory, {
      gateways,
      environment: { RATE_WINDOW_SECONDS: String(rateWindowSeconds) },
      step,
      interruption,
    }),
  )
  const needed = { sites, users, logs_in: true, requests_per_window: requestsPerWindow }
  const prepared = await step('Sites', async (note) => {
    const created = await prepare(serviceStack, needed, note)
    await seedProfiles(serviceStack.wiring.database_urls, created.sites)
    note(`${created.sites.length} sites, ${users} users`)
    return created
  })
  const stack = starting.move()
  return {
    serviceStack,
    prepared,
    directory,
    processes: () => [
      ...serviceStack
        .members()
        .filter(({ service }) => service !== 'provider-simulator')
        .map(({ service, pid }) => ({ name: service, pid })),
      ...Object.entries(readServerPids(directory)).map(([name, pid]) => ({ name, pid })),
    ],
    gateways: () =>
      serviceStack.members().flatMap(({ service, address }) => {
        return service === 'api-gateway' && address !== undefined ? [address] : []
      }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

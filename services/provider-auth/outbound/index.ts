import type { CircuitState } from 'cockatiel'
import type { Registry } from 'prom-client'
import { Agent } from 'undici'
import type { Provider } from '#contracts'
import type { Logger } from '#runtime'
import type { Tally } from '../insight/tally.ts'
import { createCircuit } from './circuit.ts'
import { createConnector } from './connector.ts'
import type { FetchFromProvider } from './fetch.ts'
import { createMetrics } from './metrics.ts'
import { requestBy } from './request.ts'

/** Connections to one host of a provider; calls beyond them wait for one, within their time. Our choice. */
export const connections = 64

/** The way out to the login providers. Its end cuts what is under way. */
export interface Outbound extends AsyncDisposable {
  /** Each provider has connections and a circuit of its own, the same for all who ask, so that one that is away harms no other. */
  readonly fetchFor: (provider: Provider) => FetchFromProvider
}

/**
 * @param simulatorUrl base address of the simulator, the one that need be neither public nor https
 * @param circuit_open_ms how long a provider that failed is left alone
 */
export function openOutbound({
  simulatorUrl,
  circuit_open_ms,
  tally,
  logger,
  registry,
}: {
  readonly simulatorUrl: string | undefined
  readonly circuit_open_ms: number
  readonly tally: Pick<Tally, 'countProviderCall' | 'noteCircuit'>
  readonly logger: Logger
  readonly registry: Registry
}): Outbound {
  const connect = createConnector(simulatorUrl)
  const metrics = createMetrics(registry, tally)
  const open = (provider: Provider) => {
    const agent = new Agent({ connect, connections, allowH2: false })
    const request = requestBy(agent)
    const changed = (state: CircuitState) => metrics.circuit(provider, state)
    const within = createCircuit({ provider, open_ms: circuit_open_ms, logger, changed })
    const fetch: FetchFromProvider = async (url, asked) => {
      const beganAt = performance.now()
      try {
        const response = await within(() => request(url, asked))
        metrics.asked(provider, beganAt, response)
        return response
      } catch (error) {
        metrics.asked(provider, beganAt, { error })
        throw error
      }
    }
    return { agent, fetch }
  }

  const opened = new Map<Provider, ReturnType<typeof open>>()
  return {
    fetchFor(provider) {
      const way = opened.get(provider) ?? open(provider)
      opened.set(provider, way)
      return way.fetch
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened.values()].map(({ agent }) => agent.destroy()))
    },
  }
}

import type { CircuitState } from 'cockatiel'
import type { Registry } from 'prom-client'
import { Agent, interceptors } from 'undici'
import type { Provider } from '#contracts'
import type { Logger } from '#runtime'
import type { LoginUsage } from '../../usage/login-usage.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { createConnector } from './connector.ts'
import type { FetchFromProvider } from './fetch.ts'
import { createHttpClientMetrics } from './metrics.ts'
import { createFetch } from './request.ts'

/** Connections per host of a provider; further calls wait for a free one, within their timeout. Our choice. */
export const connectionsPerHost = 64

/**
 * Sends a GET again whose connection was closed without a response: a provider can close an idle connection at the moment at which
 * it is used. Only methods without effects may be repeated (RFC 9110, section 9.2.2).
 */
const repeatGet = interceptors.retry({
  methods: ['GET'],
  errorCodes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
  statusCodes: [],
  // Other idle connections may be closed as well.
  maxRetries: 2,
  minTimeout: 0,
})

/** The HTTP client for login providers (protected against SSRF). Disposing aborts running calls. */
export interface HttpClient extends AsyncDisposable {
  /**
   * Each provider has its own connections and circuit breaker, shared by all callers, so that an unavailable provider
   * does not affect others.
   */
  readonly fetchFor: (provider: Provider) => FetchFromProvider
}

/**
 * @param simulatorUrl base address of the simulator, which may be a private address without TLS
 * @param simulatorInternalUrl where to connect for it, if it is another address
 * @param circuitOpenMs how long a circuit breaker stays open
 */
export function createHttpClient({
  simulatorUrl,
  simulatorInternalUrl,
  circuitOpenMs,
  usage,
  logger,
  registry,
}: {
  readonly simulatorUrl: string | undefined
  readonly simulatorInternalUrl?: string | undefined
  readonly circuitOpenMs: number
  readonly usage: Pick<LoginUsage, 'countProviderCall' | 'setCircuitState'>
  readonly logger: Logger
  readonly registry: Registry
}): HttpClient {
  const connect = createConnector(simulatorUrl, simulatorInternalUrl)
  const metrics = createHttpClientMetrics(registry, usage)
  const open = (provider: Provider) => {
    const agent = new Agent({ connect, connections: connectionsPerHost, allowH2: false })
    const request = createFetch(agent.compose(repeatGet))
    const onStateChange = (state: CircuitState) => metrics.recordCircuitState(provider, state)
    const runInCircuit = createCircuitBreaker({ provider, openMs: circuitOpenMs, logger, onStateChange })
    const fetch: FetchFromProvider = async (url, providerRequest) => {
      const startedAt = performance.now()
      try {
        const response = await runInCircuit(() => request(url, providerRequest))
        metrics.recordCall(provider, startedAt, response)
        return response
      } catch (error) {
        metrics.recordCall(provider, startedAt, { error })
        throw error
      }
    }
    return { agent, fetch }
  }

  const connections = new Map<Provider, ReturnType<typeof open>>()
  return {
    fetchFor(provider) {
      const connection = connections.get(provider) ?? open(provider)
      connections.set(provider, connection)
      return connection.fetch
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...connections.values()].map(({ agent }) => agent.destroy()))
    },
  }
}

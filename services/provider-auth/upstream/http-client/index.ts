import { CircuitState } from 'cockatiel'
import type { Registry } from 'prom-client'
import { Agent, type buildConnector, interceptors } from 'undici'
import { type BuiltInLoginProvider, configuredName } from '#contracts'
import type { Logger } from '#runtime'
import type { LoginUsage } from '../../usage/login-usage.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { createConnector } from './connector.ts'
import type { FetchFromProvider } from './fetch.ts'
import { createHttpClientMetrics } from './metrics.ts'
import { createFetch } from './request.ts'
import { traceExchange } from './request-trace.ts'

/** Connections per host of a provider; further calls wait for a free one, within their timeout. Our choice. */
export const connectionsPerHost = 64

/** Origins of configured providers whose circuits are in memory; beyond that, all circuits begin again. Our choice. */
const maxOrigins = 10_000

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
  readonly fetchFor: (provider: BuiltInLoginProvider) => FetchFromProvider
  /** For providers that sites configured: one circuit breaker for each origin. */
  readonly fetchConfigured: FetchFromProvider
}

/**
 * @param simulatorUrl base address of the simulator, which may be a private address without TLS
 * @param simulatorInternalUrl where to connect for it, if it is another address
 * @param isPrivateAllowed whether a configured provider may be at an address that is not public, also without TLS
 * @param circuitOpenMs how long a circuit breaker stays open
 */
export function createHttpClient({
  simulatorUrl,
  simulatorInternalUrl,
  isPrivateAllowed,
  circuitOpenMs,
  usage,
  logger,
  registry,
}: {
  readonly simulatorUrl: string | undefined
  readonly simulatorInternalUrl?: string | undefined
  readonly isPrivateAllowed: (address: string) => boolean
  readonly circuitOpenMs: number
  readonly usage: Pick<LoginUsage, 'countProviderCall' | 'setCircuitState'>
  readonly logger: Logger
  readonly registry: Registry
}): HttpClient {
  const connect = createConnector(simulatorUrl, simulatorInternalUrl)
  const connectConfigured = createConnector(simulatorUrl, simulatorInternalUrl, isPrivateAllowed)
  const metrics = createHttpClientMetrics(registry, usage)
  const openConnections = (label: string, connect: buildConnector.connector) => {
    const agent = new Agent({ connect, connections: connectionsPerHost, allowH2: false })
    const request = createFetch(agent.compose(repeatGet))
    /** Sends requests with these connections in a circuit of their own. */
    const createFetchInCircuit = (name: string, onStateChange: (state: CircuitState) => void): FetchFromProvider => {
      const runInCircuit = createCircuitBreaker({ provider: name, openMs: circuitOpenMs, logger, onStateChange })
      return async (url, providerRequest) => {
        const startedAt = performance.now()
        try {
          const response = await runInCircuit(() => request(url, providerRequest))
          metrics.recordCall(label, startedAt, response)
          await traceExchange(providerRequest.method, url, response)
          return response
        } catch (error) {
          metrics.recordCall(label, startedAt, { error })
          await traceExchange(providerRequest.method, url, undefined)
          throw error
        }
      }
    }
    return { agent, createFetchInCircuit }
  }
  const openBuiltIn = (provider: BuiltInLoginProvider) => {
    const { agent, createFetchInCircuit } = openConnections(provider, connect)
    const fetch = createFetchInCircuit(provider, (state) => metrics.recordCircuitState(provider, state))
    return { agent, fetch }
  }

  const builtIn = new Map<BuiltInLoginProvider, ReturnType<typeof openBuiltIn>>()
  const configured = openConnections(configuredName, connectConfigured)
  const byOrigin = new Map<string, FetchFromProvider>()
  /** Origins whose circuit is not closed. The console shows them together; no alert fires, because operators cannot repair the sites' settings. */
  const openCircuits = new Set<string>()
  return {
    fetchFor(provider) {
      const connection = builtIn.get(provider) ?? openBuiltIn(provider)
      builtIn.set(provider, connection)
      return connection.fetch
    },
    fetchConfigured(url, request) {
      const { origin } = new URL(url)
      const known = byOrigin.get(origin)
      if (known !== undefined) return known(url, request)
      if (byOrigin.size >= maxOrigins) {
        byOrigin.clear()
        openCircuits.clear()
      }
      const fetch = configured.createFetchInCircuit(origin, (state) => {
        if (state === CircuitState.Closed) openCircuits.delete(origin)
        else openCircuits.add(origin)
        usage.setCircuitState(configuredName, openCircuits.size === 0 ? 'closed' : 'open')
      })
      byOrigin.set(origin, fetch)
      return fetch(url, request)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([configured, ...builtIn.values()].map(({ agent }) => agent.destroy()))
    },
  }
}

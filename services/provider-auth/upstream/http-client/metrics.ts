import { CircuitState } from 'cockatiel'
import type { Registry } from 'prom-client'
import { circuitStates, type Provider } from '#contracts'
import { classifyRequestError } from '#http-client'
import { createGauge, createHistogram } from '#runtime'
import type { LoginUsage } from '../../usage/login-usage.ts'
import { CircuitOpen } from './circuit-breaker.ts'
import { ProviderUnavailable, ResponseTooLarge } from './fetch.ts'

/** Metrics of calls to login providers, and the failure counts for the console. */
export interface HttpClientMetrics {
  /** @param startedAt from `performance.now()` */
  readonly recordCall: (provider: Provider, startedAt: number, result: { status: number } | { error: unknown }) => void
  readonly recordCircuitState: (provider: Provider, state: CircuitState) => void
}

const states = { closed: CircuitState.Closed, half_open: CircuitState.HalfOpen, open: CircuitState.Open } as const

export function createHttpClientMetrics(
  registry: Registry,
  usage: Pick<LoginUsage, 'countProviderCall' | 'setCircuitState'>,
): HttpClientMetrics {
  const durations = createHistogram(registry, 'sociallogin_provider_client_duration_seconds')
  const circuits = createGauge(registry, 'sociallogin_provider_circuit_state')
  return {
    recordCall(provider, startedAt, result) {
      const outcome = 'status' in result ? classifyStatus(result.status) : classifyError(result.error)
      durations.observe({ provider, outcome }, (performance.now() - startedAt) / 1_000)
      // A call that an open circuit rejected was not sent.
      if (outcome !== 'circuit_open') usage.countProviderCall(provider, !/^(ok|http_[34]xx)$/.test(outcome))
    },
    recordCircuitState(provider, currentState) {
      for (const name of circuitStates) {
        const isCurrent = states[name] === currentState
        circuits.set({ provider, state: name }, isCurrent ? 1 : 0)
        if (isCurrent) usage.setCircuitState(provider, name)
      }
    },
  }
}

function classifyStatus(status: number): string {
  return status < 300 ? 'ok' : `http_${Math.floor(status / 100)}xx`
}

function classifyError(error: unknown): string {
  if (error instanceof ResponseTooLarge) return 'too_long'
  if (error instanceof ProviderUnavailable && error.cause instanceof CircuitOpen) return 'circuit_open'
  return classifyRequestError(error)
}

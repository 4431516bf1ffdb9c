import { CircuitState } from 'cockatiel'
import type { Registry } from 'prom-client'
import type { Provider } from '#contracts'
import { createGauge, createHistogram } from '#runtime'
import { AnswerTooLong } from '../providers/fetch.ts'
import { AddressRefused } from './addresses.ts'
import { CircuitOpen } from './circuit.ts'

/** What calls to login providers come to, for operators. */
export interface Metrics {
  /** @param began_at of `performance.now()` */
  readonly asked: (provider: Provider, began_at: number, result: { status: number } | { error: unknown }) => void
  readonly circuit: (provider: Provider, state: CircuitState) => void
}

const states = { closed: CircuitState.Closed, half_open: CircuitState.HalfOpen, open: CircuitState.Open } as const

export function createMetrics(registry: Registry): Metrics {
  const durations = createHistogram(registry, 'sociallogin_provider_client_duration_seconds')
  const circuits = createGauge(registry, 'sociallogin_provider_circuit_state')
  return {
    asked(provider, began_at, result) {
      const outcome = 'status' in result ? outcomeOf(result.status) : failureOf(result.error)
      durations.observe({ provider, outcome }, (performance.now() - began_at) / 1_000)
    },
    circuit(provider, present) {
      for (const [name, state] of Object.entries(states))
        circuits.set({ provider, state: name }, state === present ? 1 : 0)
    },
  }
}

function outcomeOf(status: number): string {
  return status < 300 ? 'ok' : `http_${Math.floor(status / 100)}xx`
}

/** By the innermost cause that says something. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'network'
  if (error instanceof AnswerTooLong) return 'too_long'
  if (error instanceof CircuitOpen) return 'circuit_open'
  if (error instanceof AddressRefused) return 'address_refused'
  const code = String(Reflect.get(error, 'code') ?? '')
  if (error.name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout'
  if (/TLS|SSL|CERT|SIGNATURE/.test(code)) return 'tls'
  return failureOf(error.cause)
}

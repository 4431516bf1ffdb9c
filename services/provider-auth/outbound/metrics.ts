import { CircuitState } from 'cockatiel'
import type { Registry } from 'prom-client'
import { circuitStates, type Provider } from '#contracts'
import { createGauge, createHistogram } from '#runtime'
import type { Tally } from '../insight/tally.ts'
import { AddressRefused } from './addresses.ts'
import { CircuitOpen } from './circuit.ts'
import { AnswerTooLong } from './fetch.ts'

/** What calls to login providers come to, for operators; the console is told how many failed. */
export interface Metrics {
  /** @param beganAt of `performance.now()` */
  readonly asked: (provider: Provider, beganAt: number, result: { status: number } | { error: unknown }) => void
  readonly circuit: (provider: Provider, state: CircuitState) => void
}

const states = { closed: CircuitState.Closed, half_open: CircuitState.HalfOpen, open: CircuitState.Open } as const

export function createMetrics(registry: Registry, tally: Pick<Tally, 'countProviderCall' | 'noteCircuit'>): Metrics {
  const durations = createHistogram(registry, 'sociallogin_provider_client_duration_seconds')
  const circuits = createGauge(registry, 'sociallogin_provider_circuit_state')
  return {
    asked(provider, beganAt, result) {
      const outcome = 'status' in result ? outcomeOf(result.status) : failureOf(result.error)
      durations.observe({ provider, outcome }, (performance.now() - beganAt) / 1_000)
      // What an open circuit held back was no call.
      if (outcome !== 'circuit_open') tally.countProviderCall(provider, !/^(ok|http_[34]xx)$/.test(outcome))
    },
    circuit(provider, present) {
      for (const name of circuitStates) {
        const isPresent = states[name] === present
        circuits.set({ provider, state: name }, isPresent ? 1 : 0)
        if (isPresent) tally.noteCircuit(provider, name)
      }
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

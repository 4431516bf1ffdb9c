import { errors } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { Fault } from '#contracts'
import { createHistogram } from '#runtime'

/** Measures one procedure by what came of it: its error, or undefined when it was answered. */
export type Measure = (procedure: string, error: unknown, beganAt: number) => void

/**
 * @param side whether the process asked or answered
 * @param service whose procedures they are
 */
export function createMeasure(registry: Registry, side: 'client' | 'server', service: string): Measure {
  const histogram = createHistogram(registry, `sociallogin_rpc_${side}_duration_seconds`)
  return (procedure, error, beganAt) => {
    const labels = { rpc_service: service, rpc_method: procedure, outcome: outcomeOf(error) }
    histogram.observe(labels, (performance.now() - beganAt) / 1_000)
  }
}

/** The connection was lost while an answer was awaited, or there was none to ask over. */
export class Disconnected extends Error {}

function outcomeOf(error: unknown): string {
  if (error === undefined) return 'ok'
  if (!(error instanceof Fault)) return 'defect'
  if (error.fault !== 'unavailable') return 'app_error'
  // A fault the other side sent has no cause.
  if (error.cause instanceof errors.TimeoutError) return 'timeout'
  if (error.cause instanceof errors.NoRespondersError) return 'no_responders'
  return error.cause === undefined ? 'unavailable' : 'disconnected'
}

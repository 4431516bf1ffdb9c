import { errors } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { Fault } from '#contracts'
import { createHistogram } from '#runtime'
import { UnavailableReplicaError } from './errors.ts'

/** Records the duration of one call with its error, or undefined on success. */
export type CallRecorder = (procedure: string, error: unknown, startedAt: number) => void

/**
 * @param side whether the process is the caller or the server
 * @param service whose procedures are called
 */
export function createCallRecorder(registry: Registry, side: 'client' | 'server', service: string): CallRecorder {
  const histogram = createHistogram(registry, `sociallogin_rpc_${side}_duration_seconds`)
  return (procedure, error, beganAt) => {
    const labels = { rpc_service: service, rpc_method: procedure, outcome: outcomeOf(error) }
    histogram.observe(labels, (performance.now() - beganAt) / 1_000)
  }
}

function outcomeOf(error: unknown): string {
  if (error === undefined) return 'ok'
  if (!(error instanceof Fault)) return 'defect'
  if (error.fault !== 'unavailable') return 'app_error'
  if (error.cause instanceof errors.TimeoutError) return 'timeout'
  if (error.cause instanceof errors.NoRespondersError) return 'no_responders'
  return error.cause instanceof UnavailableReplicaError || error.cause === undefined ? 'unavailable' : 'disconnected'
}

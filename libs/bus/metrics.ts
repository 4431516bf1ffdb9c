import { errors } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { Fault } from '#contracts'
import { createHistogram } from '#runtime'

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

/** The connection was lost during a call, or there was none. */
export class DisconnectedError extends Error {}

/** A replica answered that it is unavailable. */
export class UnavailableReplicaError extends Error {
  readonly replica: string
  constructor(replica: string) {
    super('A replica is unavailable.')
    this.replica = replica
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

import { type FaultReason, faults } from '#contracts'
import type { OnResponse } from '#http'

/** A completed request to the Web API. */
export interface CompletedRequest {
  readonly request_id: string
  /** Undefined: the key is unknown. */
  readonly site: number | undefined
  readonly api_key_id: string | undefined
  readonly address: string | undefined
  readonly operation: string
  readonly status: number
  /** 0: no error. */
  readonly code: number
  readonly remaining: number | undefined
  readonly duration_ms: number
  readonly parameter?: string | undefined
  readonly reason?: FaultReason | undefined
  readonly documentation?: string | undefined
  readonly unknown_parameters?: readonly string[] | undefined
}

/** Records a completed request. */
export type RecordRequest = (request: CompletedRequest) => void

/** Records requests to the Web API, but not those for its description. */
export function createUsageRecorder(count: RecordRequest): OnResponse {
  return ({ status, state }, durationMs) => {
    const { request_id, site, api_key_id, address, route = 'unknown', remaining, fault } = state
    if (site === undefined && fault === undefined) return
    const code = fault === undefined ? 0 : faults[fault].code
    const { faultDetail, faultDocumentation: documentation, unknown_parameters } = state
    count({
      request_id,
      site,
      api_key_id,
      address,
      operation: route,
      status,
      code,
      remaining,
      duration_ms: durationMs,
      reason: faultDetail?.reason,
      parameter: faultDetail?.parameter,
      documentation,
      unknown_parameters,
    })
  }
}

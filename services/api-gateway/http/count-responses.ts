import type { Registry } from 'prom-client'
import { faults } from '#contracts'
import type { OnResponse } from '#http'
import { createCounter } from '#runtime'
import { createUsageRecorder, type RecordRequest } from '../usage/completed-request.ts'

/**
 * Counts responses by operation, status and error code.
 *
 * @param recordRequest records each completed request for usage reports
 */
export function createResponseCounter(registry: Registry, recordRequest: RecordRequest): OnResponse {
  const responses = createCounter(registry, 'sociallogin_api_requests_total')
  const recordUsage = createUsageRecorder(recordRequest)
  return (response, durationMs) => {
    const { status, state } = response
    const { route = 'unknown', fault } = state
    responses.inc({ operation: route, http_status: status, code: fault === undefined ? 0 : faults[fault].code })
    recordUsage(response, durationMs)
  }
}

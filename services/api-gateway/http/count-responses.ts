import type { Registry } from 'prom-client'
import { faults } from '#contracts'
import type { Context } from '#http'
import { createCounter } from '#runtime'

/** Counts responses by operation, status and error code. */
export function createResponseCounter(registry: Registry): (ctx: Context) => void {
  const responses = createCounter(registry, 'sociallogin_api_requests_total')
  return ({ status, state: { route = 'unknown', fault } }) =>
    responses.inc({ operation: route, http_status: status, code: fault === undefined ? 0 : faults[fault].code })
}

import type { Registry } from 'prom-client'
import type { Context } from '#http'
import { createCounter } from '#runtime'

/** Counts answers by what the specification calls them: operation, status and error code. */
export function countAnswers(registry: Registry): (ctx: Context) => void {
  const answers = createCounter(registry, 'sociallogin_api_requests_total')
  return ({ status, state: { route = 'unknown', error_code = 0 } }) =>
    answers.inc({ operation: route, http_status: status, code: error_code })
}

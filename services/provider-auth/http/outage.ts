import { Fault } from '#contracts'
import { isDatabaseUnavailable } from '#database'

/** Whether a part of our service is unavailable, rather than a login provider or the request being wrong. */
export function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof Fault && error.fault === 'unavailable')
}

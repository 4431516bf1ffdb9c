import { RemoteDefect } from '#bus'
import { Fault } from '#contracts'

/** Whether a call of a service failed because the service is unavailable or defective, so that the other data can be shown. */
export function isUnavailable(error: unknown): boolean {
  return (error instanceof Fault && error.fault === 'unavailable') || error instanceof RemoteDefect
}

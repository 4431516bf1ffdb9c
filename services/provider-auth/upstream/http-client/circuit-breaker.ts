import { CircuitState, CountBreaker, circuitBreaker, handleWhen, isBrokenCircuitError } from 'cockatiel'
import type { Provider } from '#contracts'
import type { Logger } from '#runtime'
import { isProviderUnavailable, ProviderUnavailable } from './fetch.ts'

/** The circuit opens if half of the last ten calls failed, or half of fewer but at least five. Our choice. */
const openingRule = { threshold: 0.49, size: 10, minimumNumberOfCalls: 5 } as const

/** The provider was not called because its circuit is open. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen'
  constructor() {
    super('The circuit breaker is open because several calls to the provider failed.')
  }
}

/** Sends a request, or throws immediately while the circuit is open. */
export type CircuitBreaker = (send: () => Promise<Response>) => Promise<Response>

/**
 * Creates the circuit breaker of one provider. Timeouts, connection errors and 5xx responses count as failures; 4xx
 * responses and unreadable responses do not, because the provider is available. After `openMs` one call tests the
 * provider and decides.
 *
 * @throws ProviderUnavailable immediately while the circuit is open, caused by CircuitOpen
 */
export function createCircuitBreaker({
  provider,
  openMs,
  logger,
  onStateChange,
}: {
  readonly provider: Provider
  readonly openMs: number
  readonly logger: Logger
  /** Called with the initial state and with each change. */
  readonly onStateChange: (state: CircuitState) => void
}): CircuitBreaker {
  const failing = handleWhen(isProviderUnavailable).orWhenResult(
    (response) => response instanceof Response && response.status >= 500,
  )
  const breaker = circuitBreaker(failing, { halfOpenAfter: openMs, breaker: new CountBreaker(openingRule) })

  let previous = breaker.state
  breaker.onStateChange((state) => {
    onStateChange(state)
    if (previous === CircuitState.Closed) logger.warn({ provider }, 'login provider unavailable; circuit opened')
    if (state === CircuitState.Closed) logger.info({ provider }, 'login provider available again; circuit closed')
    previous = state
  })
  onStateChange(breaker.state)

  return async (send) => {
    const toUnavailable = () => new ProviderUnavailable({ cause: new CircuitOpen() })
    // Another call is testing the provider; this one does not wait for the result.
    if (breaker.state === CircuitState.HalfOpen) throw toUnavailable()
    try {
      return await breaker.execute(send)
    } catch (error) {
      throw isBrokenCircuitError(error) ? toUnavailable() : error
    }
  }
}

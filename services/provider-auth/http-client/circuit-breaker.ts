import { CircuitState, CountBreaker, circuitBreaker, handleWhen, isBrokenCircuitError } from 'cockatiel'
import type { Provider } from '#contracts'
import type { Logger } from '#runtime'
import { isProviderUnavailable, ProviderUnavailable } from './fetch.ts'

/** The circuit opens when half of the last ten calls failed, or of fewer, but at least five. Our choice. */
const openingRule = { threshold: 0.49, size: 10, minimumNumberOfCalls: 5 } as const

/** Why a provider was not even asked. */
export class CircuitOpen extends Error {
  constructor() {
    super('The provider failed several times and is left alone for a while.')
    this.name = 'CircuitOpen'
  }
}

/** Asks, or throws at once when that has failed too often. */
export type CircuitBreaker = (send: () => Promise<Response>) => Promise<Response>

/**
 * The circuit of one provider. It opens when the provider does not answer, or with 5xx; a refusal, a limit (429) and an answer
 * that is none show that the provider is there. Once it was open for its time one call tries the provider, and decides.
 *
 * @throws ProviderUnavailable at once while it is open, of CircuitOpen
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
  /** Told the state at first and at every change. */
  readonly onStateChange: (state: CircuitState) => void
}): CircuitBreaker {
  const failing = handleWhen(isProviderUnavailable).orWhenResult(
    (response) => response instanceof Response && response.status >= 500,
  )
  const breaker = circuitBreaker(failing, { halfOpenAfter: openMs, breaker: new CountBreaker(openingRule) })

  let previous = breaker.state
  breaker.onStateChange((state) => {
    onStateChange(state)
    if (previous === CircuitState.Closed) logger.warn({ provider }, 'a login provider is away: its circuit opened')
    if (state === CircuitState.Closed) logger.info({ provider }, 'a login provider is back: its circuit closed')
    previous = state
  })
  onStateChange(breaker.state)

  return async (send) => {
    const toUnavailable = () => new ProviderUnavailable({ cause: new CircuitOpen() })
    // Another call is trying the provider; nobody waits for what becomes of it.
    if (breaker.state === CircuitState.HalfOpen) throw toUnavailable()
    try {
      return await breaker.execute(send)
    } catch (error) {
      throw isBrokenCircuitError(error) ? toUnavailable() : error
    }
  }
}
